import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import type { FromWorker, InvocationFailure, ToWorker, WorkerData } from './runtime.ts';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { arn, generatedName, REGION, type ResourceType, type Unnamed } from '../../stack/resource-type.ts';
import { StartFailure } from '../../base/start-failure.ts';
import type { Stack } from '../../stack/template.ts';

const nameOf = (fn: Unnamed) => fn.text('FunctionName') ?? generatedName(fn);

export const lambdaTypes = {
  'AWS::Lambda::Function': {
    ref: nameOf,
    attributes: { Arn: (fn) => arn('lambda', `function:${nameOf(fn)}`) },
  },
} satisfies Record<string, ResourceType>;

const FunctionProperties = z.object({
  FunctionName: z.optional(z.string()),
  Runtime: z.string(),
  Handler: z.string(),
  Code: z.object({ S3Key: z.optional(z.string()) }),
  Environment: z.optional(z.object({ Variables: z._default(z.record(z.string(), z.string()), {}) })),
  Layers: z._default(z.array(z.unknown()), []),
  // Lambda's own defaults, in seconds and megabytes.
  Timeout: z._default(z.number(), 3),
  MemorySize: z._default(z.number(), 128),
});
type FunctionProperties = z.infer<typeof FunctionProperties>;

/** What an invocation rejects with, in the shape Lambda gives its callers. */
export class FunctionError extends Error {
  override name = 'FunctionError';
  readonly errorType: string;
  readonly errorMessage: string;

  constructor({ errorType, errorMessage }: InvocationFailure) {
    super(`${errorType}: ${errorMessage}`);
    this.errorType = errorType;
    this.errorMessage = errorMessage;
  }
}

export interface LogLine {
  /** ISO 8601, in the local world's time. */
  at: string;
  function: string;
  text: string;
}

export interface FunctionsOptions {
  clock: Clock;
  /** Origins of AWS's services on this machine, by the SDK's names for its environment: AWS_ENDPOINT_URL_<name>. */
  endpoints: Readonly<Record<string, string>>;
  /** Told of every line a function writes. */
  log: (line: LogLine) => void;
}

// How many copies of one function may run at once. Lambda's own limit is a thousand; a laptop's is less.
const MOST_COPIES = 8;

/** The stack's functions, running the very bundles `cdk deploy` uploads. */
export class Functions {
  readonly #options: FunctionsOptions;
  #functions = new Map<string, LambdaFunction>();

  constructor(options: FunctionsOptions) {
    this.#options = options;
  }

  update(stack: Stack): Promise<void> {
    const before = this.#functions;
    this.#functions = new Map();
    for (const resource of stack.of('AWS::Lambda::Function')) {
      const { ref, id } = resource;
      const parsed = propertiesOf(FunctionProperties, resource);
      // The functions of CDK's own custom resources; what they do in AWS, the resources' modules do here.
      if (!parsed.Runtime.startsWith('nodejs')) continue;
      if (parsed.Layers.length > 0) {
        throw new StartFailure(
          `The function ${id} has layers, which infra/local/aws/lambda/functions.ts doesn't load.`,
        );
      }
      if (parsed.Code.S3Key === undefined) {
        throw new StartFailure(`The function ${id} has its code in the template, which isn't run here.`);
      }
      const settings: Settings = {
        name: ref,
        label: parsed.FunctionName ?? id.replace(/[0-9A-F]{8}$/, ''),
        arn: resource.attribute('Arn'),
        folder: stack.asset(parsed.Code.S3Key),
        properties: parsed,
      };
      const standing = before.get(settings.arn);
      const unchanged = standing && JSON.stringify(standing.settings) === JSON.stringify(settings);
      this.#functions.set(settings.arn, unchanged ? standing : new LambdaFunction(settings, this.#options));
    }
    const kept = new Set(this.#functions.values());
    for (const fn of before.values()) if (!kept.has(fn)) fn.retire();
    return Promise.resolve();
  }

  /**
   * Runs the function and resolves with what it returned, as JSON would carry it. Rejects with a `FunctionError` if it
   * threw, ended, or took longer than its timeout.
   */
  invoke(functionArn: string, event: unknown): Promise<unknown> {
    const fn = this.#functions.get(functionArn);
    if (!fn) {
      return Promise.reject(
        new FunctionError({
          errorType: 'ResourceNotFoundException',
          errorMessage: `Function not found: ${functionArn}`,
        }),
      );
    }
    return fn.invoke(event);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#functions.values()].map((fn) => fn.stop()));
  }
}

interface Settings {
  name: string;
  /** What people know it by. */
  label: string;
  arn: string;
  /** Of the unpacked bundle. */
  folder: string;
  properties: FunctionProperties;
}

/** One function. Like Lambda it gives a copy one event at a time and starts another copy for the next. */
class LambdaFunction {
  readonly settings: Settings;
  readonly #options: FunctionsOptions;
  readonly #copies = new Set<Copy>();
  readonly #idle: Copy[] = [];
  readonly #waiting: ((copy: Copy) => void)[] = [];
  #state: 'live' | 'retired' = 'live';

  constructor(settings: Settings, options: FunctionsOptions) {
    this.settings = settings;
    this.#options = options;
  }

  async invoke(event: unknown): Promise<unknown> {
    const copy = await this.#take();
    try {
      return await copy.run(event);
    } finally {
      this.#giveBack(copy);
    }
  }

  /** Lets what is running end, and starts nothing more. */
  retire(): void {
    this.#state = 'retired';
    for (const copy of this.#idle.splice(0)) this.#end(copy);
  }

  async stop(): Promise<void> {
    this.#state = 'retired';
    await Promise.all([...this.#copies].map((copy) => copy.end()));
  }

  async #take(): Promise<Copy> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.broken) return idle;
      this.#end(idle);
    }
    if (this.#copies.size < MOST_COPIES) return this.#start();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #start(): Copy {
    const copy = new Copy(this.settings, this.#options);
    this.#copies.add(copy);
    return copy;
  }

  #giveBack(copy: Copy): void {
    if (copy.broken) this.#end(copy);
    const next = this.#waiting.shift();
    if (next) next(copy.broken ? this.#start() : copy);
    else if (this.#state === 'retired') this.#end(copy);
    else if (!copy.broken) this.#idle.push(copy);
  }

  #end(copy: Copy): void {
    this.#copies.delete(copy);
    void copy.end();
  }
}

/** One worker thread with the function's module loaded in it. */
class Copy {
  readonly #settings: Settings;
  readonly #worker: Worker;
  readonly #ready: Promise<InvocationFailure | undefined>;
  #fail: (failure: InvocationFailure) => void = () => {};
  broken = false;

  constructor(settings: Settings, options: FunctionsOptions) {
    this.#settings = settings;
    const data: WorkerData = {
      file: moduleFile(settings),
      handler: settings.properties.Handler.split('.').at(-1) ?? '',
      name: settings.name,
      arn: settings.arn,
      memorySize: settings.properties.MemorySize,
      clock: options.clock.shared,
    };
    this.#worker = new Worker(new URL('runtime.ts', import.meta.url), {
      workerData: data,
      env: environmentOf(settings, options),
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      createInterface(stream).on('line', (text) =>
        options.log({ at: options.clock.now().toISOString(), function: settings.label, text }),
      );
    }
    this.#ready = new Promise((resolve) => {
      this.#worker.once('message', (message: FromWorker) =>
        resolve(message.kind === 'failed' ? message.failure : undefined),
      );
      this.#worker.once('exit', () => resolve(EXITED));
    });
    this.#worker.once('error', (error) => {
      this.broken = true;
      this.#fail({ errorType: error.name, errorMessage: error.message });
    });
    this.#worker.once('exit', () => {
      this.broken = true;
      this.#fail(EXITED);
    });
  }

  async run(event: unknown): Promise<unknown> {
    const unusable = await this.#ready;
    if (unusable) {
      this.broken = true;
      throw new FunctionError(unusable);
    }
    const requestId = randomUUID();
    const { Timeout } = this.#settings.properties;
    const answer = Promise.withResolvers<unknown>();
    this.#fail = (failure) => answer.reject(new FunctionError(failure));
    const timer = setTimeout(() => {
      this.broken = true;
      answer.reject(
        new FunctionError({
          errorType: 'Sandbox.Timedout',
          errorMessage: `RequestId: ${requestId} Error: Task timed out after ${Timeout}.00 seconds`,
        }),
      );
    }, Timeout * 1000);
    const listen = (message: FromWorker) => {
      if (message.kind === 'returned') answer.resolve(JSON.parse(message.json));
      else if (message.kind === 'failed') answer.reject(new FunctionError(message.failure));
    };
    this.#worker.on('message', listen);
    try {
      const message: ToWorker = {
        requestId,
        // What isn't JSON doesn't reach a function in AWS either.
        json: JSON.stringify(event ?? null),
        timeoutMilliseconds: Timeout * 1000,
      };
      this.#worker.postMessage(message, []);
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#worker.off('message', listen);
      this.#fail = () => {};
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

const EXITED: InvocationFailure = {
  errorType: 'Runtime.ExitError',
  errorMessage: 'Runtime exited without providing a reason',
};

function moduleFile({ folder, label, properties }: Settings): string {
  const name = properties.Handler.slice(0, properties.Handler.lastIndexOf('.'));
  const file = ['.mjs', '.cjs', '.js']
    .map((extension) => path.join(folder, `${name}${extension}`))
    .find((candidate) => existsSync(candidate));
  if (!file) throw new StartFailure(`The bundle of the function ${label} has no module ${name}.`);
  return file;
}

/** All a function finds in its environment, of what Lambda puts there itself and the SDK's way to this machine. */
function environmentOf(
  { name, folder, properties }: Settings,
  { endpoints }: FunctionsOptions,
): Record<string, string> {
  return {
    ...properties.Environment?.Variables,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
    LAMBDA_TASK_ROOT: folder,
    _HANDLER: properties.Handler,
    TZ: ':UTC',
    // As in Lambda it doesn't exist, so the SDK doesn't read a developer's own profile.
    HOME: '/home/sbx_user1051',
    ...Object.fromEntries(
      Object.entries(endpoints).map(([service, origin]) => [`AWS_ENDPOINT_URL_${service}`, origin]),
    ),
  };
}
