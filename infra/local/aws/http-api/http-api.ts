import { randomUUID } from 'node:crypto';
import { readBody } from '../../base/http-body.ts';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { unlessDebugged } from '../../base/debugger.ts';
import { type GatewayAnswer, answerOf, type Authorized, eventOf, type GatewayRequest } from './event.ts';
import { bySpecificity, type RoutePattern, routePattern } from './routes.ts';
import { JwtAuthorizer } from './jwt-authorizer.ts';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { REGION, type ResourceType, stableId, type Unnamed } from '../../stack/resource-type.ts';
import { StartFailure } from '../../base/start-failure.ts';
import type { Resource, Stack } from '../../stack/template.ts';
import type { Origin } from '../cloudfront/origin.ts';
import type { AwsService, ServiceContext } from '../service.ts';
import { TokenBucket } from './token-bucket.ts';

const idOf = (resource: Unnamed) => stableId(resource, 10);
const domainOf = (apiId: string) => `${apiId}.execute-api.${REGION}.amazonaws.com`;

const types: Record<string, ResourceType> = {
  'AWS::ApiGatewayV2::Api': {
    ref: idOf,
    attributes: {
      ApiId: idOf,
      ApiEndpoint: (api) => `https://${domainOf(idOf(api))}`,
    },
  },
  'AWS::ApiGatewayV2::Stage': { ref: (stage) => stage.text('StageName') ?? idOf(stage) },
  'AWS::ApiGatewayV2::Route': { ref: idOf, attributes: { RouteId: idOf } },
  'AWS::ApiGatewayV2::Integration': { ref: idOf, attributes: { IntegrationId: idOf } },
  'AWS::ApiGatewayV2::Authorizer': { ref: idOf, attributes: { AuthorizerId: idOf } },
};

export const apiGateway = {
  types,
  start: ({ clock, invoke }: ServiceContext) => new HttpApis({ clock, invoke }),
} satisfies AwsService;

const ApiProperties = z.object({
  ProtocolType: z.literal('HTTP'),
  // CORS is not emulated: the site and its API share an origin.
  CorsConfiguration: z.optional(z.undefined()),
});
const Throttle = z.object({
  ThrottlingRateLimit: z.optional(z.number()),
  ThrottlingBurstLimit: z.optional(z.number()),
});
const StageProperties = z.object({
  ApiId: z.string(),
  StageName: z.string(),
  DefaultRouteSettings: z._default(Throttle, {}),
  RouteSettings: z._default(z.record(z.string(), Throttle), {}),
});
const RouteProperties = z.object({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string(),
  AuthorizationType: z._default(z.enum(['NONE', 'JWT']), 'NONE'),
  AuthorizerId: z.optional(z.string()),
  AuthorizationScopes: z._default(z.array(z.string()), []),
});
const IntegrationProperties = z.object({
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  // API Gateway's default and maximum.
  TimeoutInMillis: z._default(z.number(), 30_000),
});
const AuthorizerProperties = z.object({
  AuthorizerType: z.literal('JWT'),
  IdentitySource: z.array(z.literal('$request.header.Authorization')),
  JwtConfiguration: z.object({ Issuer: z.string(), Audience: z.array(z.string()) }),
});

// An account's limits, for stages without their own.
const ACCOUNT_RATE = 10_000;
const ACCOUNT_BURST = 5_000;
// API Gateway's limit on a payload.
const LARGEST_BODY = 10 * 1024 * 1024;

interface Route {
  pattern: RoutePattern;
  functionArn: string;
  timeout: number;
  authorizer: JwtAuthorizer | undefined;
  scopes: readonly string[];
  bucket: TokenBucket;
}

interface Api {
  id: string;
  domainName: string;
  /** Empty for `$default`, which is reached without a prefix. */
  prefix: string;
  stage: string;
  routes: readonly Route[];
}

interface HttpApisOptions {
  clock: Clock;
  invoke: (functionArn: string, event: unknown) => Promise<unknown>;
}

export class HttpApis {
  readonly #options: HttpApisOptions;
  /** APIs by domain name, which a distribution's origin names. */
  #apis = new Map<string, Api[]>();

  constructor(options: HttpApisOptions) {
    this.#options = options;
  }

  update(stack: Stack): Promise<void> {
    const apis = new Map<string, Api[]>();
    for (const api of stack.of('AWS::ApiGatewayV2::Api')) {
      propertiesOf(ApiProperties, api);
      apis.set(domainOf(api.ref), apisOf(stack, api.ref, this.#options.clock));
    }
    this.#apis = apis;
    return Promise.resolve();
  }

  originAt(domainName: string): Origin | undefined {
    if (!this.#apis.has(domainName)) return undefined;
    return { kind: 'api', answer: (request) => this.answer(domainName, request) };
  }

  async answer(domainName: string, request: GatewayRequest): Promise<GatewayAnswer> {
    // The event has the same id: `$context.requestId`.
    const requestId = randomUUID().slice(0, 16);
    const answer = await this.#route(domainName, request, requestId);
    return { ...answer, headers: { ...answer.headers, 'apigw-requestid': requestId } };
  }

  async #route(domainName: string, request: GatewayRequest, requestId: string): Promise<GatewayAnswer> {
    const [path = '/'] = request.url.split('?');
    const found = this.#find(domainName, request.method, path);
    if (!found) return message(404, 'Not Found');
    const { api, route, pathParameters } = found;
    if (!route.bucket.take()) return message(429, 'Too Many Requests');
    let authorized: Authorized | undefined;
    if (route.authorizer) {
      const verdict = await route.authorizer.judge(request.headers.authorization, route.scopes);
      if (verdict.kind === 'refused') {
        const refusal = message(verdict.status, verdict.status === 401 ? 'Unauthorized' : 'Forbidden');
        return { ...refusal, headers: { ...refusal.headers, 'www-authenticate': verdict.challenge } };
      }
      ({ authorized } = verdict);
    }
    const body = await readBody(request.body, LARGEST_BODY);
    if (!body) return message(413, 'Request Entity Too Large');
    const event = eventOf({
      request,
      body,
      routeKey: route.pattern.key,
      pathParameters,
      apiId: api.id,
      domainName: api.domainName,
      stage: api.stage,
      requestId,
      now: this.#options.clock.now(),
      authorized,
    });
    return this.#integrate(route, event);
  }

  async #integrate(route: Route, event: unknown): Promise<GatewayAnswer> {
    const { promise: late, resolve } = Promise.withResolvers<GatewayAnswer>();
    const timer = setTimeout(
      () => resolve(message(503, 'Service Unavailable')),
      unlessDebugged(route.timeout),
    );
    const integrated = this.#options
      .invoke(route.functionArn, event)
      .then(answerOf)
      .then(
        (answer) => answer ?? message(500, 'Internal Server Error'),
        // The function's own log has the details.
        () => message(500, 'Internal Server Error'),
      );
    const answer = await Promise.race([integrated, late]);
    clearTimeout(timer);
    return answer;
  }

  #find(
    domainName: string,
    method: string,
    path: string,
  ): { api: Api; route: Route; pathParameters: Record<string, string> } | undefined {
    for (const api of this.#apis.get(domainName) ?? []) {
      if (api.prefix && path !== api.prefix && !path.startsWith(`${api.prefix}/`)) continue;
      const below = path.slice(api.prefix.length) || '/';
      for (const route of api.routes) {
        const pathParameters = route.pattern.match(method, below);
        if (pathParameters) return { api, route, pathParameters };
      }
    }
    return undefined;
  }
}

/** The API's stages. The stage without a prefix is the last. */
function apisOf(stack: Stack, apiId: string, clock: Clock): Api[] {
  const integrations = new Map(
    stack.of('AWS::ApiGatewayV2::Integration').map((resource) => [resource.ref, resource]),
  );
  const authorizers = new Map(
    stack.of('AWS::ApiGatewayV2::Authorizer').map((resource) => {
      const { JwtConfiguration } = propertiesOf(AuthorizerProperties, resource);
      const { Issuer: issuer, Audience: audience } = JwtConfiguration;
      return [resource.ref, new JwtAuthorizer({ issuer, audience, clock })] as const;
    }),
  );
  const routes = stack
    .of('AWS::ApiGatewayV2::Route')
    .map((resource) => ({ resource, properties: propertiesOf(RouteProperties, resource) }))
    .filter(({ properties }) => properties.ApiId === apiId)
    .toSorted((a, b) => bySpecificity(a.properties.RouteKey, b.properties.RouteKey));
  return stack
    .of('AWS::ApiGatewayV2::Stage')
    .map((resource) => propertiesOf(StageProperties, resource))
    .filter((stage) => stage.ApiId === apiId)
    .map((stage) => ({
      id: apiId,
      domainName: domainOf(apiId),
      prefix: stage.StageName === '$default' ? '' : `/${stage.StageName}`,
      stage: stage.StageName,
      routes: routes.map(({ resource, properties }) => {
        const integration = integrations.get(properties.Target.replace(/^integrations\//, ''));
        if (!integration) throw new StartFailure(`The route ${properties.RouteKey} has no integration.`);
        const { IntegrationUri, TimeoutInMillis } = propertiesOf(IntegrationProperties, integration);
        const settings = { ...stage.DefaultRouteSettings, ...stage.RouteSettings[properties.RouteKey] };
        return {
          pattern: routePattern(properties.RouteKey),
          functionArn: IntegrationUri,
          timeout: TimeoutInMillis,
          authorizer: properties.AuthorizationType === 'JWT' ? authorizerOf(properties, resource) : undefined,
          scopes: properties.AuthorizationScopes,
          bucket: new TokenBucket({
            rate: settings.ThrottlingRateLimit ?? ACCOUNT_RATE,
            burst: settings.ThrottlingBurstLimit ?? ACCOUNT_BURST,
          }),
        };
      }),
    }))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);

  function authorizerOf({ AuthorizerId = '' }: z.infer<typeof RouteProperties>, { id }: Resource) {
    const authorizer = authorizers.get(AuthorizerId);
    if (!authorizer) throw new StartFailure(`The authorizer of the route ${id} is not in the template.`);
    return authorizer;
  }
}

function message(status: number, text: string): GatewayAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message: text })),
  };
}
