import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  type CfnStage,
  type HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import type { UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { FilterPattern, LogGroup, type MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { api } from '../../schemas/api.ts';
import { APP_SCOPE, type Endpoint, routeLabel, SITE_SCOPE } from '../../schemas/endpoint.ts';
import { type Alarms, PROMPT } from './alarms.ts';
import { AppFunction, type FunctionSettings } from './app-function.ts';
import { failedRefunds } from './event-metrics.ts';
import type { Identity } from './identity.ts';

export interface ApiProps {
  /** Created before this construct, because the website needs its address. */
  httpApi: HttpApi;
  /** The route table. */
  routes: Readonly<Record<string, Endpoint>>;
  functions: FunctionSettings;
  identity: Identity;
  /** Over all callers together, for each route without a throttle of its own. */
  throttle: { rate: number; burst: number };
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  alarms: Alarms;
}

interface Authorization {
  authorizer: HttpJwtAuthorizer;
  authorizationScopes: string[];
}

/**
 * Name of the API's stage. API Gateway puts it before every path, so CloudFront passes `/api/*` on unchanged.
 */
export const API_STAGE = 'api';

/** Serves every route of the table: its function, its authorizer, its throttle and its alarm. */
export class Api extends Construct {
  readonly #props: ApiProps;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.#props = props;
    const { client, relayClient } = props.identity;
    const forSite = this.#authorize('SignedIn', [client], [SITE_SCOPE]);
    const forSiteAndApps = this.#authorize('SignedInOrApp', [client, relayClient], [SITE_SCOPE, APP_SCOPE]);
    for (const [name, endpoint] of Object.entries(props.routes)) {
      const authorization = endpoint.appToken ? forSiteAndApps : forSite;
      this.#addRoute(name, endpoint, endpoint.caller === 'bearer' ? authorization : {});
    }
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.functions.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.#addStage(accessLog);
    this.#addAlarms(accessLog);
  }

  /**
   * Lets access tokens of these clients pass that have one of the scopes. ID tokens have none. API Gateway
   * compares `client_id` with the audience in a token without `aud`, like Cognito's access tokens:
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
   */
  #authorize(id: string, clients: readonly UserPoolClient[], authorizationScopes: string[]): Authorization {
    const issuer = `https://cognito-idp.${Aws.REGION}.amazonaws.com/${this.#props.identity.pool.userPoolId}`;
    const jwtAudience = clients.map(({ userPoolClientId }) => userPoolClientId);
    return { authorizer: new HttpJwtAuthorizer(id, issuer, { jwtAudience }), authorizationScopes };
  }

  #addRoute(name: string, endpoint: Endpoint, authorization: Partial<Authorization>): void {
    const { httpApi, functions, metricNamespace, alarms } = this.#props;
    const id = pascalCase(name);
    const handler = new AppFunction(this, id, {
      ...functions,
      entry: entryOf(name, endpoint),
      needs: endpoint.needs,
      description: `${endpoint.method} /${API_STAGE}${endpoint.path}`,
      // API Gateway gives up after 30 seconds. One second less lets a function report its own failure.
      timeout: Duration.seconds(29),
    });
    httpApi.addRoutes({
      path: endpoint.path,
      methods: [HttpMethod[endpoint.method]],
      integration: new HttpLambdaIntegration(`${id}Integration`, handler),
      ...authorization,
    });
    alarms.add(`${id}Errors`, {
      metric: handler.metricErrors({ period: PROMPT }),
      loss: `${routeLabel(endpoint)} fails for its callers: the function crashes or runs out of time.`,
      look: `See the log of functions/${entryOf(name, endpoint)}.ts.`,
      runbookEntry: '<Route>Errors',
    });
    if (endpoint.caller === 'stripe') {
      alarms.add('FailedRefunds', {
        metric: failedRefunds(handler, metricNamespace),
        loss: 'A refund did not reach its payer. Stripe has returned the money to our balance.',
        look: 'See the lines refund-failed in the log of functions/webhooks/stripe-webhook.ts.',
      });
    }
  }

  #addStage(accessLog: LogGroup): void {
    const { httpApi, routes, throttle } = this.#props;
    const stage = new HttpStage(this, 'Stage', {
      httpApi,
      stageName: API_STAGE,
      autoDeploy: true,
      throttle: { rateLimit: throttle.rate, burstLimit: throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(accessLogFormat),
      },
    });
    // API Gateway refuses settings for a route that doesn't exist yet.
    stage.node.addDependency(...httpApi.node.children);
    (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(
      Object.values(routes).flatMap((endpoint) =>
        endpoint.throttle
          ? [
              [
                routeLabel(endpoint),
                {
                  ThrottlingRateLimit: endpoint.throttle.rate,
                  ThrottlingBurstLimit: endpoint.throttle.burst,
                },
              ],
            ]
          : [],
      ),
    );
  }

  #addAlarms(accessLog: LogGroup): void {
    const { httpApi, alarms } = this.#props;
    // A few webhooks an hour stay below the threshold of `ServerErrors`, and Stripe's retries hide them for
    // days. Without a signature nobody gets such an answer.
    alarms.add('FailedWebhooks', {
      metric: this.#countWebhooks(accessLog, 'FailedWebhooks', { from: 500 }).metric({
        period: PROMPT,
        statistic: 'sum',
      }),
      loss: "Users who pay wait up to an hour for Plus: Stripe's webhooks are answered with an error.",
      look: 'See the log of functions/webhooks/stripe-webhook.ts.',
    });
    alarms.add('RefusedWebhooks', {
      metric: this.#countWebhooks(accessLog, 'RefusedWebhooks', { from: 400, before: 500 }).metric({
        period: Duration.hours(1),
        statistic: 'sum',
      }),
      ...refusedByAWrongSecret,
      loss: "Users who pay wait up to an hour for Plus: Stripe's webhooks are refused.",
      look: 'See the log of functions/webhooks/stripe-webhook.ts; bad-signature means a wrong webhook secret.',
    });
    alarms.add('ServerErrors', {
      metric: httpApi.metricServerError({ period: PROMPT, statistic: 'sum' }),
      threshold: 5,
      loss: 'Users see "Something went wrong" instead of their plan or their checkout.',
      look: 'See the access log, then the log of the route that it names.',
    });
  }

  /** Counts the webhooks that were answered with these statuses. */
  #countWebhooks(
    accessLog: LogGroup,
    metricName: string,
    { from, before }: { from: number; before?: number },
  ): MetricFilter {
    const status = (comparison: '>=' | '<', value: number) =>
      FilterPattern.numberValue(logField('status'), comparison, value);
    return accessLog.addMetricFilter(metricName, {
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue(logField('route'), '=', `*${api['stripe-webhook'].path}`),
        status('>=', from),
        ...(before === undefined ? [] : [status('<', before)]),
      ),
      metricNamespace: this.#props.metricNamespace,
      metricName,
    });
  }
}

/**
 * How many refused webhooks are an alarm: three in an hour, in three of twelve hours. Anybody can send a
 * request with a bad signature; however many come within two hours, there is no alarm.
 *
 * A wrong webhook secret gets there with a single purchase. A purchase has at least three of the events that
 * we hear (`checkout.session.completed`, `customer.subscription.created`, `invoice.paid`). Stripe sends each
 * of them again "for up to three days with an exponential back off" (docs.stripe.com/webhooks), together, and
 * at first within hours. The exact times aren't documented.
 */
const refusedByAWrongSecret = { threshold: 3, periods: { reached: 3, of: 12 } };

const folders = { bearer: 'api', anyone: 'api', stripe: 'webhooks', cognito: 'github-oidc' } as const;

const entryOf = (name: string, { caller }: Endpoint): string => `${folders[caller]}/${name}`;

/**
 * The fields of a line of API Gateway's access log. Queries, headers and bodies are left out, because they
 * may hold tokens. `status` is a number, so that a filter can compare it.
 */
const accessLogFields = {
  at: '"$context.requestTime"',
  requestId: '"$context.requestId"',
  route: '"$context.routeKey"',
  status: '$context.status',
  milliseconds: '"$context.responseLatency"',
  error: '"$context.error.message"',
};

const accessLogFormat = `{${Object.entries(accessLogFields)
  .map(([name, value]) => `"${name}":${value}`)
  .join(',')}}`;

/** A field of the access log, as metric filters name it. */
const logField = (name: keyof typeof accessLogFields): string => `$.${name}`;

const pascalCase = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
