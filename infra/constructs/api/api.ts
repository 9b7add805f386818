import { Aws, Duration } from 'aws-cdk-lib';
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
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { api, handlerFileOf } from '../../../schemas/api.ts';
import { APP_SCOPE, type Endpoint, routeLabel, SITE_SCOPE } from '../../../schemas/routes/endpoint.ts';
import { ORIGIN_KEYS } from '../../../schemas/config/origin-key.ts';
import { type Alarms, PROMPT, REPEATEDLY, SEVERAL_HOURS } from '../alarms/alarms.ts';
import { AppFunction, createLog, type FunctionSettings } from '../lambda/app-function.ts';
import { ownMetric } from '../alarms/event-metrics.ts';
import type { Identity } from '../identity/identity.ts';
import { RoleWithRights } from '../role-with-rights.ts';
import { addOutputs } from '../outputs.ts';
import type { CanaryUser } from '../monitoring/canary.ts';
import type { Stage } from '../../stages/stage.ts';
import { allowFindings } from '../rule-exceptions.ts';
import { CalledByRole } from './called-by-role.ts';
import { throttleOf } from './throttle.ts';

export interface ApiProps {
  /** Created before this construct, because the website needs the API's address. */
  httpApi: HttpApi;
  /** The route table. */
  routes: Readonly<Record<string, Endpoint>>;
  functions: FunctionSettings;
  identity: Identity;
  stage: Stage;
  /** Routes that accept apps' tokens accept those of its client too. */
  canaryUser: CanaryUser | undefined;
  /** Origin of the site, for the output with the webhook's address. */
  siteUrl: string;
  alarms: Alarms;
}

interface Authorization {
  authorizer: HttpJwtAuthorizer;
  authorizationScopes: string[];
}

/** The API's stage. API Gateway puts it before every path, so CloudFront passes `/api/*` on unchanged. */
export const API_STAGE = 'api';

/** Serves every route of the table: its function, its authorizer and its throttle. */
export class Api extends Construct {
  readonly #props: ApiProps;
  /** The log of all functions with a route. */
  readonly log: LogGroup;
  readonly accessLog: LogGroup;
  /** API Gateway's role, which may call these functions and nothing else. */
  readonly #caller: RoleWithRights;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.#props = props;
    this.log = createLog(this, 'Logs', props.functions);
    this.#caller = new RoleWithRights(this, 'CallerRole', new ServicePrincipal('apigateway.amazonaws.com'));
    const { client, relayClient } = props.identity;
    const readers = [client, relayClient, ...(props.canaryUser ? [props.canaryUser.client] : [])];
    const forSite = this.#authorize('SignedIn', [client], [SITE_SCOPE]);
    const forSiteAndApps = this.#authorize('SignedInOrApp', readers, [SITE_SCOPE, APP_SCOPE]);
    const handlers = Object.entries(props.routes).map(([name, endpoint]) => {
      const authorization = endpoint.appToken ? forSiteAndApps : forSite;
      return this.#addRoute(name, endpoint, endpoint.caller === 'bearer' ? authorization : {});
    });
    this.#caller.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: handlers.map(({ functionArn }) => functionArn),
      }),
    );
    this.accessLog = createLog(this, 'AccessLog', props.functions);
    this.#addStage(this.accessLog);
    this.#addAlarms(this.accessLog);
    addOutputs(this, { WebhookUrl: `${props.siteUrl}/${API_STAGE}${api['stripe-webhook'].path}` });
  }

  /**
   * Accepts access tokens of these clients with one of the scopes. ID tokens have no scopes. API Gateway
   * compares `client_id` with the audience in a token without `aud`, like Cognito's access tokens:
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
   */
  #authorize(id: string, clients: readonly UserPoolClient[], authorizationScopes: string[]): Authorization {
    const issuer = `https://cognito-idp.${Aws.REGION}.amazonaws.com/${this.#props.identity.pool.userPoolId}`;
    const jwtAudience = clients.map(({ userPoolClientId }) => userPoolClientId);
    return { authorizer: new HttpJwtAuthorizer(id, issuer, { jwtAudience }), authorizationScopes };
  }

  #addRoute(name: string, endpoint: Endpoint, authorization: Partial<Authorization>): AppFunction {
    const { httpApi, functions } = this.#props;
    const id = pascalCase(name);
    const handler = new AppFunction(this, id, {
      ...functions,
      entry: handlerFileOf(name, endpoint),
      access: endpoint,
      description: `${endpoint.method} /${API_STAGE}${endpoint.path}`,
      // API Gateway gives up after 30 seconds. With one second less, a function can still report its own
      // failure.
      timeout: Duration.seconds(29),
      log: this.log,
    });
    handler.addEnvironment(ORIGIN_KEYS, functions.originKeys);
    const added = httpApi.addRoutes({
      path: endpoint.path,
      methods: [HttpMethod[endpoint.method]],
      integration: new CalledByRole(`${id}Integration`, handler, this.#caller),
      ...authorization,
    });
    if (endpoint.caller !== 'bearer') {
      for (const route of added) allowFindings(route, openRoutes[endpoint.caller], 'APIG4');
    }
    return handler;
  }

  #addStage(accessLog: LogGroup): void {
    const { httpApi, routes, stage: settings } = this.#props;
    const { throttle } = settings;
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
      Object.values(routes).flatMap((endpoint) => {
        const ofRoute = throttleOf(endpoint);
        return ofRoute ? [[routeLabel(endpoint), throttleSettings(ofRoute)]] : [];
      }),
    );
  }

  #addAlarms(accessLog: LogGroup): void {
    const { httpApi, functions, alarms } = this.#props;
    const { metricNamespace } = functions;
    const period = { period: PROMPT };
    alarms.add('ServerErrors', {
      severity: 'page',
      metric: new MathExpression({
        // A percentage. With few requests, each failure makes a bad period, and `REPEATEDLY` waits for three.
        expression: `IF(requests >= ${FEW_REQUESTS}, 100 * errors / requests, IF(errors > 0, 100, 0))`,
        usingMetrics: {
          requests: httpApi.metricCount({ ...period, statistic: 'sum' }),
          errors: httpApi.metricServerError({ ...period, statistic: 'sum' }),
        },
        ...period,
      }),
      threshold: 5,
      periods: REPEATEDLY,
      logs: { group: accessLog, query: 'filter status>=500 | stats count() by route, error, cause' },
    });
    alarms.add('CheckoutFails', {
      severity: 'page',
      // Zero unless checkouts fail and no more than as many begin. A period of some hours has a purchase even
      // where few users buy, and one failure alone never fires.
      metric: new MathExpression({
        expression: 'IF(failed >= FILL(started, 0), failed, 0)',
        usingMetrics: {
          failed: accessLog
            .addMetricFilter('FailedCheckouts', {
              filterPattern: FilterPattern.all(
                FilterPattern.stringValue(logField('route'), '=', routeLabel(api['create-checkout-session'])),
                FilterPattern.numberValue(logField('status'), '>=', 500),
              ),
              metricNamespace,
              metricName: 'FailedCheckouts',
            })
            .metric({ period: SEVERAL_HOURS, statistic: 'sum' }),
          started: ownMetric('CheckoutsStarted', metricNamespace, { period: SEVERAL_HOURS }),
        },
        period: SEVERAL_HOURS,
      }),
      periods: { reached: 2, of: 4 },
      logs: {
        group: accessLog,
        query: 'filter status>=500 and route like "checkout" | sort @timestamp desc',
      },
    });
  }
}

// Requests in five minutes. Below this number, a share of 5% would be less than one request.
const FEW_REQUESTS = 20;

const throttleSettings = ({ rate, burst }: NonNullable<Endpoint['throttle']>) => ({
  ThrottlingRateLimit: rate,
  ThrottlingBurstLimit: burst,
});

/** The reason why a route has no authorizer, by its caller. */
const openRoutes: Record<Exclude<Endpoint['caller'], 'bearer'>, string> = {
  anyone:
    'Callers have no account, or a link with a token of its own. A throttle and the firewall limit them.',
  browser: 'Browsers report without credentials. A throttle and the firewall limit them.',
  app: 'The function checks the code or the token that the app shows. A throttle and the firewall limit apps.',
  stripe: "The function checks Stripe's signature over the body.",
  cognito: 'The function checks what OpenID Connect demands in each step.',
};

/**
 * The fields of a line in API Gateway's access log. Queries, headers and bodies are left out, because they
 * may contain tokens. `status` is a number, so that a filter can compare it.
 */
const accessLogFields = {
  at: '"$context.requestTime"',
  requestId: '"$context.requestId"',
  route: '"$context.routeKey"',
  status: '$context.status',
  milliseconds: '"$context.responseLatency"',
  error: '"$context.error.message"',
  // The reason for a failed function, which `error` calls an internal error.
  cause: '"$context.integrationErrorMessage"',
};

const accessLogFormat = `{${Object.entries(accessLogFields)
  .map(([name, value]) => `"${name}":${value}`)
  .join(',')}}`;

/** A field of the access log, as metric filters refer to it. */
const logField = (name: keyof typeof accessLogFields): string => `$.${name}`;

/** The ids of constructs for a function's file: `triggers/pre-sign-up` is `TriggersPreSignUp`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[/-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
