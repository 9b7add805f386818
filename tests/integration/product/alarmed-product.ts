import { AsyncLocalStorage } from 'node:async_hooks';
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { Template as Assertions } from 'aws-cdk-lib/assertions';
import { vi } from 'vitest';
import * as z from 'zod/mini';
import { readTemplate } from '../../../infra/local/start-world.ts';
import type { Template } from '../../../infra/local/stack/template.ts';
import { api, handlerFileOf, type RouteName } from '../../../schemas/api.ts';
import { routeLabel } from '../../../schemas/routes/endpoint.ts';
import type { BackgroundFunction } from '../../../schemas/background-functions.ts';
import { METRIC_NAMESPACE } from '../../../schemas/config/metrics.ts';
import { CloudWatch } from '../../fixtures/aws/cloud-watch.ts';
import { stackOf } from '../../fixtures/aws/stack.ts';
import type { Call } from '../../fixtures/fakes/http-event.ts';
import { startCallRecordingProduct, type User } from '../../fixtures/worlds/call-recording-product.ts';
import { HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

const FunctionProperties = z.object({
  Code: z.object({ ZipFile: z.optional(z.string()) }),
  LoggingConfig: z.optional(z.object({ LogGroup: z.optional(z.string()) })),
});

/** Production's stack. The code of a function is the name of its entry. */
function productionStack(): Template {
  const stack = stackOf({ stageName: 'production', codeOf: (_, { entry }) => Code.fromInline(entry) });
  const document = Assertions.fromStack(stack).toJSON();
  return readTemplate(document, stack.stackName);
}

/** The names that Lambda and CloudWatch Logs have for the functions, by their entries. */
function functionsOf(stack: Template): Map<string, { name: string; logGroup: string }> {
  return new Map(
    stack.of('AWS::Lambda::Function').flatMap(({ ref: name, properties }) => {
      const { Code: code, LoggingConfig } = FunctionProperties.parse(properties);
      const logGroup = LoggingConfig?.LogGroup;
      return code.ZipFile === undefined || logGroup === undefined ? [] : [[code.ZipFile, { name, logGroup }]];
    }),
  );
}

/**
 * The product of `startCallRecordingProduct`, with the alarms of production. The functions' logs and
 * metrics reach CloudWatch, as do the metrics of Lambda, API Gateway and DynamoDB.
 */
export async function startAlarmedProduct() {
  const stack = productionStack();
  const functions = functionsOf(stack);
  const accessLog = accessLogOf(stack);
  const product = await startCallRecordingProduct();
  const { stripe, dynamodb, recorder } = product;
  vi.stubEnv(METRIC_NAMESPACE, stack.name);
  // The SDK waits between its tries by the machine's time.
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');

  let cloudWatch = new CloudWatch(stack);
  let deliversWebhooks = true;
  const throttled = new Set<string>();
  let logged = new Set<string>();
  const running = new AsyncLocalStorage<string>();

  const functionOf = (entry: string) => {
    const found = functions.get(entry);
    if (!found) throw new Error(`Production has no function ${entry}.`);
    return found;
  };
  const write = (line: unknown): void => {
    const entry = running.getStore();
    if (entry !== undefined) cloudWatch.log(functionOf(entry).logGroup, line, Date.now());
  };
  // Lambda's JSON logging puts what was logged under `message`.
  const logAs = (level: string) => (message: { event?: string }) => {
    if (running.getStore() !== undefined && message.event) logged.add(message.event);
    write({ timestamp: new Date().toISOString(), level, requestId: 'invocation', message });
  };

  /** Call it before each test: Vitest takes spies back. */
  const listen = (): void => {
    vi.spyOn(console, 'info').mockImplementation(logAs('INFO'));
    vi.spyOn(console, 'error').mockImplementation(logAs('ERROR'));
    const original = process.stdout.write.bind(process.stdout);
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      if (running.getStore() === undefined) return original(text);
      write(JSON.parse(String(text)));
      return true;
    });
  };

  /** Runs a function as Lambda does, and counts it. */
  const invoke = async <T>(entry: string, work: () => Promise<T>): Promise<T> => {
    const count = (name: string, value: number) =>
      cloudWatch.put(
        { namespace: 'AWS/Lambda', name, dimensions: { FunctionName: functionOf(entry).name } },
        value,
        Date.now(),
      );
    count('Invocations', 1);
    try {
      const result = await running.run(entry, work);
      count('Errors', 0);
      return result;
    } catch (error) {
      count('Errors', 1);
      throw error;
    }
  };

  /** Asks a route through API Gateway, which counts it and writes its access log. */
  const ask = async (name: RouteName, user?: User, request: Call = {}): Promise<Answer> => {
    const endpoint = api[name];
    const answer = await invoke(handlerFileOf(name, endpoint), () => product.ask(name, user, request)).catch(
      () => ({ status: 500, body: {} }),
    );
    const status = answer.status ?? 500;
    accessLog.write(cloudWatch, { routeKey: routeLabel(endpoint), status: String(status) });
    return { status, body: answer.body };
  };

  /** Runs a trigger or a schedule. Throws if the function does. */
  const run = async (name: BackgroundFunction, event: object = {}): Promise<unknown> =>
    invoke(name, () => product.run(name, event));

  stripe.receiver.answer = async ({ body, headers }) => {
    // An event that Stripe doesn't send has no delivery attempt, but the stand-in needs an answer.
    if (!deliversWebhooks) return 200;
    const signature = String(headers['stripe-signature']);
    return (
      await ask('stripe-webhook', undefined, { rawBody: body, headers: { 'stripe-signature': signature } })
    ).status;
  };
  recorder.answerInstead = (name) => {
    const [operation = '', table = ''] = name.split(' ');
    if (!throttled.has(table)) return undefined;
    const isRead = /^(Get|BatchGet|TransactGet|Query|Scan)/.test(operation);
    cloudWatch.put(
      {
        namespace: 'AWS/DynamoDB',
        name: isRead ? 'ReadThrottleEvents' : 'WriteThrottleEvents',
        dimensions: { TableName: tableNameOf(stack, table) },
      },
      1,
      Date.now(),
    );
    const refusal = {
      ['__type']: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
      message: 'Throughput exceeds the current capacity of your table.',
    };
    return { status: 400, body: refusal };
  };

  /** Removes what was left to the schedules, and sets the event cursor to now. */
  const clearWork = async (): Promise<void> => {
    const TableName = 'StripeWork';
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
    for (const { kind, id } of Items)
      await dynamodb.send(new DeleteCommand({ TableName, Key: { kind, id } }));
    const Item = { kind: 'cursor', id: 'stripe-events', read_from: new Date().toISOString() };
    await dynamodb.send(new PutCommand({ TableName, Item }));
  };

  return {
    product,
    stack,
    ask,
    run,
    advance: (milliseconds: number) => product.advance(milliseconds),
    /** The alarms that notify now, sorted. */
    firing: (): string[] => cloudWatch.firing(Date.now()).toSorted(),
    /** All alarms of production that page somebody. */
    paging: cloudWatch.names.filter((name) => cloudWatch.severityOf(name) === 'page'),
    /** The events in today's logs. */
    logged: (): ReadonlySet<string> => logged,
    /** Puts a value of a metric that AWS counts where nothing of ours runs. */
    put: (metric: Parameters<CloudWatch['put']>[0], value: number) =>
      cloudWatch.put(metric, value, Date.now()),
    deliverWebhooks: (delivers: boolean) => void (deliversWebhooks = delivers),
    throttle: (table: string) => void throttled.add(table),
    unthrottle: (table: string) => void throttled.delete(table),
    /** A signed-up user with a row. */
    async user(): Promise<User> {
      const user = await product.signUp();
      await ask('plan', user);
      return user;
    },
    /** Buys Plus. Resolves once Stripe has sent its webhooks. */
    async buy(user: User): Promise<Answer> {
      const answer = await ask('create-checkout-session', user, {
        body: { planName: 'plus', userId: user.id, userEmail: user.email },
      });
      if (answer.status === 200) {
        await product.pay(String(answer.body['clientSecret']).split('_secret_')[0] ?? '');
        await stripe.service.allDelivered();
      }
      return answer;
    },
    /** Begins a day on which nothing has happened yet, at a full hour. */
    async beginDay(): Promise<void> {
      deliversWebhooks = true;
      throttled.clear();
      stripe.service.faults.clear();
      await product.advance(HOUR - (Date.now() % HOUR));
      await clearWork();
      cloudWatch = new CloudWatch(stack);
      logged = new Set();
      listen();
    },
    stop: () => product.stop(),
    /** Removes the day's users and customers. */
    async endDay(): Promise<void> {
      deliversWebhooks = false;
      throttled.clear();
      stripe.service.faults.clear();
      await product.clear();
      await stripe.service.allDelivered();
    },
  };
}

export type AlarmedProduct = Awaited<ReturnType<typeof startAlarmedProduct>>;

const tableNameOf = (stack: Template, table: string): string =>
  [...stack.of('AWS::DynamoDB::Table'), ...stack.of('AWS::DynamoDB::GlobalTable')].find(({ id }) =>
    id.startsWith(`Data${table}`),
  )?.ref ?? '';

const StageProperties = z.object({
  ApiId: z.string(),
  AccessLogSettings: z.object({ DestinationArn: z.string(), Format: z.string() }),
});

/** API Gateway's log line and metrics of a request. `values`: variables of its log format. */
function accessLogOf(stack: Template) {
  const [stage] = stack.of('AWS::ApiGatewayV2::Stage');
  const { ApiId, AccessLogSettings } = StageProperties.parse(stage?.properties);
  const group = stack
    .of('AWS::Logs::LogGroup')
    .find((each) => AccessLogSettings.DestinationArn.includes(`:${each.ref}`));
  const dimensions = { ApiId };
  return {
    write(cloudWatch: CloudWatch, values: Record<string, string>): void {
      const now = Date.now();
      const line = AccessLogSettings.Format.replaceAll(
        /\$context\.([\w.]+)/g,
        (_, name: string) => values[name] ?? '-',
      );
      cloudWatch.log(group?.ref ?? '', JSON.parse(line), now);
      cloudWatch.put({ namespace: 'AWS/ApiGateway', name: 'Count', dimensions }, 1, now);
      const isError = Number(values['status']) >= 500;
      cloudWatch.put({ namespace: 'AWS/ApiGateway', name: '5xx', dimensions }, isError ? 1 : 0, now);
    },
  };
}
