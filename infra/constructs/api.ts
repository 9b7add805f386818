import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  type CfnStage,
  type HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { FilterPattern, LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Endpoint } from '../../schemas/api.ts';
import { type Alarms, PROMPT } from './alarms.ts';
import { AppFunction, type Provisions } from './app-function.ts';
import type { Identity } from './identity.ts';

export interface ApiProps {
  /** The HTTP API itself, made before whatever has to know its address. */
  httpApi: HttpApi;
  /** The route table. */
  routes: Readonly<Record<string, Endpoint>>;
  /** Folder of the handlers. */
  handlers: string;
  provisions: Provisions;
  identity: Identity;
  /** Over all routes and callers, where a route doesn't say otherwise. */
  throttle: { rate: number; burst: number };
  logRetention: RetentionDays;
  /** Of the metrics read from logs. */
  metricNamespace: string;
  alarms: Alarms;
}

/** The name of the API's stage, and so the first segment of every path: what CloudFront sends as `/api/*` arrives as it is. */
export const API_STAGE = 'api';

/** Keeps ID tokens out: they carry no scope. */
const SIGNED_IN_SCOPE = 'aws.cognito.signin.user.admin';

/** Every route of the table: its function, its authorizer, its throttle. */
export class Api extends Construct {
  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const { httpApi, routes, identity, alarms } = props;
    const authorizer = new HttpJwtAuthorizer(
      'SignedIn',
      `https://cognito-idp.${Aws.REGION}.amazonaws.com/${identity.pool.userPoolId}`,
      { jwtAudience: [identity.client.userPoolClientId] },
    );

    for (const [name, endpoint] of Object.entries(routes)) {
      const handler = new AppFunction(this, pascalCase(name), {
        entry: entryOf(name, endpoint),
        handlers: props.handlers,
        needs: endpoint.needs,
        provisions: props.provisions,
        description: `${endpoint.method} /${API_STAGE}${endpoint.path}`,
        // API Gateway gives up at 30 seconds; one less lets a function say that it failed.
        timeout: Duration.seconds(29),
        logRetention: props.logRetention,
      });
      httpApi.addRoutes({
        path: endpoint.path,
        methods: [HttpMethod[endpoint.method]],
        integration: new HttpLambdaIntegration(`${pascalCase(name)}Integration`, handler),
        ...(endpoint.caller === 'bearer' && { authorizer, authorizationScopes: [SIGNED_IN_SCOPE] }),
      });
      alarms.add(`${pascalCase(name)}Errors`, {
        metric: handler.metricErrors({ period: PROMPT }),
        loss: `${endpoint.method} ${endpoint.path} crashes for the people who call it.`,
        look: `See the log of ${entryOf(name, endpoint)}.`,
      });
    }

    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const stage = new HttpStage(this, 'Stage', {
      httpApi,
      stageName: API_STAGE,
      autoDeploy: true,
      throttle: { rateLimit: props.throttle.rate, burstLimit: props.throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(accessLogLine),
      },
    });
    // API Gateway refuses settings for a route that doesn't stand yet.
    stage.node.addDependency(...httpApi.node.children);
    (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(
      Object.values(routes).flatMap(({ method, path, throttle }) =>
        throttle
          ? [
              [
                `${method} ${path}`,
                { ThrottlingRateLimit: throttle.rate, ThrottlingBurstLimit: throttle.burst },
              ],
            ]
          : [],
      ),
    );

    // Stripe's calls fail one by one and are tried again for days: the alarm over all routes wouldn't see them.
    alarms.add('RefusedWebhooks', {
      metric: accessLog
        .addMetricFilter('Refused', {
          filterPattern: FilterPattern.all(
            FilterPattern.stringValue('$.route', '=', '*/stripe/webhook'),
            FilterPattern.numberValue('$.status', '>=', 400),
          ),
          metricNamespace: props.metricNamespace,
          metricName: 'RefusedWebhooks',
        })
        .metric({ period: PROMPT, statistic: 'sum' }),
      loss: 'People who pay wait up to an hour for Plus: what Stripe tells us is refused or fails.',
      look: "See the log of webhooks/stripe-webhook; bad-signature means that the webhook secret is not the endpoint's.",
    });
    alarms.add('ServerErrors', {
      metric: httpApi.metricServerError({ period: PROMPT, statistic: 'sum' }),
      threshold: 5,
      loss: 'People see "Something went wrong" instead of their plan or their checkout.',
      look: 'See the access log, then the log of the route that it names.',
    });
  }
}

const folders = { bearer: 'api', anyone: 'api', stripe: 'webhooks', cognito: 'github-oidc' } as const;

const entryOf = (name: string, { caller }: Endpoint): string => `${folders[caller]}/${name}`;

// What happened, to which route, how fast. No query string, no header, no body: there may be a token in them. The status is a
// number here, so that a filter can compare it.
const accessLogLine = `{${[
  '"at":"$context.requestTime"',
  '"requestId":"$context.requestId"',
  '"route":"$context.routeKey"',
  '"status":$context.status',
  '"milliseconds":"$context.responseLatency"',
  '"error":"$context.error.message"',
].join(',')}}`;

const pascalCase = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
