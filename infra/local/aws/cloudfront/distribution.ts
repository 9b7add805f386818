import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import type { Buckets } from '../s3.ts';
import { type EdgeRequest, EdgeFunction, type EdgeValues } from './function.ts';
import { type Caching, type OriginRequest, passes, Policies, type ResponseHeaders } from './policies.ts';
import { forDevelopment, overHttp } from './content-security-policy.ts';
import type { HttpApis } from '../http-api/http-api.ts';
import type { GatewayRequest } from '../http-api/event.ts';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { type ResourceType, stableId, type Unnamed } from '../../stack/resource-type.ts';
import { StartFailure } from '../../base/start-failure.ts';
import type { Stack } from '../../stack/template.ts';

const idOf = (resource: Unnamed) => stableId(resource, 13).toUpperCase();
const domainOf = (distribution: Unnamed) => `d${stableId(distribution, 13)}.cloudfront.net`;
const functionArn = (fn: Unnamed) => `arn:aws:cloudfront::function/${fn.stackName}-${fn.id}`;

export const distributionTypes = {
  'AWS::CloudFront::Distribution': {
    ref: idOf,
    attributes: { Id: idOf, DomainName: domainOf },
  },
  'AWS::CloudFront::Function': { ref: functionArn, attributes: { FunctionARN: functionArn } },
  'AWS::CloudFront::ResponseHeadersPolicy': { ref: idOf, attributes: { Id: idOf } },
  'AWS::CloudFront::CachePolicy': { ref: idOf, attributes: { Id: idOf } },
  'AWS::CloudFront::OriginRequestPolicy': { ref: idOf, attributes: { Id: idOf } },
  'AWS::CloudFront::OriginAccessControl': {
    ref: idOf,
    attributes: { Id: idOf },
    faceless: 'The bucket is a folder here, which nobody else reaches.',
  },
} satisfies Record<string, ResourceType>;

const BehaviorProperties = z.object({
  TargetOriginId: z.string(),
  AllowedMethods: z._default(z.array(z.string()), ['GET', 'HEAD']),
  Compress: z._default(z.boolean(), false),
  CachePolicyId: z.string(),
  OriginRequestPolicyId: z.optional(z.string()),
  ResponseHeadersPolicyId: z.optional(z.string()),
  FunctionAssociations: z._default(
    z.array(z.object({ EventType: z.enum(['viewer-request', 'viewer-response']), FunctionARN: z.string() })),
    [],
  ),
  // Functions of another kind than infra/local/aws/cloudfront/function.ts runs.
  LambdaFunctionAssociations: z.optional(z.array(z.never())),
});
const DistributionProperties = z.object({
  DistributionConfig: z.object({
    Aliases: z._default(z.array(z.string()), []),
    Origins: z.array(
      z.object({
        Id: z.string(),
        DomainName: z.string(),
        OriginPath: z._default(z.string(), ''),
        OriginCustomHeaders: z._default(
          z.array(z.object({ HeaderName: z.string(), HeaderValue: z.string() })),
          [],
        ),
      }),
    ),
    DefaultCacheBehavior: BehaviorProperties,
    CacheBehaviors: z._default(z.array(z.extend(BehaviorProperties, { PathPattern: z.string() })), []),
    DefaultRootObject: z._default(z.string(), ''),
    CustomErrorResponses: z._default(
      z.array(
        z.object({
          ErrorCode: z.number(),
          ResponseCode: z.optional(z.number()),
          ResponsePagePath: z.optional(z.string()),
        }),
      ),
      [],
    ),
  }),
});
const FunctionProperties = z.object({ FunctionCode: z.string() });

/** The addresses the stack's distributions have in AWS, as origins. */
export function distributionOrigins(stack: Stack): string[] {
  return stack.of('AWS::CloudFront::Distribution').flatMap((resource) => {
    const { Aliases } = propertiesOf(DistributionProperties, resource).DistributionConfig;
    return [resource.attribute('DomainName'), ...Aliases].map((domain) => `https://${domain}`);
  });
}

type Origin =
  | { kind: 'bucket'; bucket: string; path: string }
  | { kind: 'api'; domainName: string; path: string; headers: Record<string, string> };

interface Behavior {
  matches(path: string): boolean;
  origin: Origin;
  methods: ReadonlySet<string>;
  compress: boolean;
  caching: Caching;
  originRequest: OriginRequest;
  responseHeaders: ResponseHeaders;
  onRequest: EdgeFunction | undefined;
  onResponse: EdgeFunction | undefined;
}

interface Distribution {
  /** In the order they are tried; the last one takes everything. */
  behaviors: readonly Behavior[];
  rootObject: string;
  errors: ReadonlyMap<number, { status: number; page: string | undefined }>;
}

interface Response {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** What answers in place of the bucket while the site is being worked on: Vite. */
export interface DevelopmentSite {
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Where its socket is, as a `ws:` origin. */
  socketOrigin: string;
}

export interface DistributionsOptions {
  apis: HttpApis;
  buckets: Buckets;
  development?: DevelopmentSite | undefined;
  /** Put first into the head of every page. */
  script: string;
}

/** The stack's distribution: the site's front, as CloudFront serves it. It caches nothing. */
export class Distributions {
  readonly #options: DistributionsOptions;
  #distribution: Distribution | undefined;

  constructor(options: DistributionsOptions) {
    this.#options = options;
  }

  update(stack: Stack): Promise<void> {
    const [resource, second] = stack.of('AWS::CloudFront::Distribution');
    if (!resource || second) {
      throw new StartFailure(
        'The local world serves the one distribution of a stack, and this one has none or two.',
      );
    }
    const { DistributionConfig: config } = propertiesOf(DistributionProperties, resource);
    const policies = new Policies(stack);
    const functions = new Map(
      stack
        .of('AWS::CloudFront::Function')
        .map((fn) => [fn.ref, new EdgeFunction(fn.id, propertiesOf(FunctionProperties, fn).FunctionCode)]),
    );
    const origins = new Map(config.Origins.map((origin) => [origin.Id, this.#originOf(origin)]));
    const behavior = (
      properties: z.infer<typeof BehaviorProperties>,
      matches: (path: string) => boolean,
    ): Behavior => {
      const origin = origins.get(properties.TargetOriginId);
      if (!origin) throw new StartFailure(`The distribution has no origin ${properties.TargetOriginId}.`);
      const associated = (event: string) => {
        const found = properties.FunctionAssociations.find(({ EventType }) => EventType === event);
        return found && functions.get(found.FunctionARN);
      };
      return {
        matches,
        origin,
        methods: new Set(properties.AllowedMethods),
        compress: properties.Compress,
        caching: policies.caching(properties.CachePolicyId),
        originRequest: policies.originRequest(properties.OriginRequestPolicyId),
        responseHeaders: policies.responseHeaders(properties.ResponseHeadersPolicyId),
        onRequest: associated('viewer-request'),
        onResponse: associated('viewer-response'),
      };
    };
    this.#distribution = {
      behaviors: [
        ...config.CacheBehaviors.map((each) => behavior(each, pathPattern(each.PathPattern))),
        behavior(config.DefaultCacheBehavior, () => true),
      ],
      rootObject: config.DefaultRootObject,
      errors: new Map(
        config.CustomErrorResponses.map(({ ErrorCode, ResponseCode, ResponsePagePath }) => [
          ErrorCode,
          { status: ResponseCode ?? ErrorCode, page: ResponsePagePath },
        ]),
      ),
    };
    return Promise.resolve();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const distribution = this.#distribution;
    if (!distribution) throw new Error('A distribution is asked before it has been set up.');
    const [path, query] = pathAndQuery(request.url ?? '/');
    const behavior = behaviorFor(distribution, path);
    if (!behavior.methods.has(request.method ?? 'GET')) {
      return this.#send(behavior, request, response, refusal('This distribution does not take that method.'));
    }
    const viewer = { ip: request.socket.remoteAddress ?? '127.0.0.1' };
    let asked = edgeRequestOf(request, path, query);
    if (behavior.onRequest) {
      const outcome = await behavior.onRequest.onRequest(asked, viewer);
      if (outcome.kind === 'response') {
        const { statusCode, headers, body } = outcome.response;
        return this.#send(behavior, request, response, {
          status: statusCode,
          headers: plainHeaders(headers),
          body:
            typeof body === 'object'
              ? Buffer.from(body.data, body.encoding === 'base64' ? 'base64' : 'utf8')
              : Buffer.from(body ?? ''),
        });
      }
      asked = outcome.request;
    }
    if (asked.uri === '/') asked = { ...asked, uri: `/${distribution.rootObject}` };
    if (this.#isForDevelopment(behavior, asked.uri)) return this.#develop(behavior, request, response);
    const fetched = await this.#fetch(behavior, asked, request);
    const answer = this.#errorPage(distribution, fetched);
    addHeaders(behavior.responseHeaders, answer.headers);
    if (behavior.onResponse && fetched.status < 400) {
      const changed = await behavior.onResponse.onResponse(
        asked,
        { statusCode: answer.status, headers: edgeHeaders(answer.headers) },
        viewer,
      );
      answer.status = changed.statusCode;
      answer.headers = plainHeaders(changed.headers);
    }
    return this.#write(behavior, request, response, answer);
  }

  #originOf({
    Id,
    DomainName,
    OriginPath,
    OriginCustomHeaders,
  }: z.infer<typeof DistributionProperties>['DistributionConfig']['Origins'][number]): Origin {
    const bucket = this.#options.buckets.named(DomainName);
    if (bucket !== undefined) return { kind: 'bucket', bucket, path: OriginPath };
    if (!this.#options.apis.has(DomainName)) {
      throw new StartFailure(
        `The distribution's origin ${Id} is ${DomainName}, which is neither a bucket nor an API of the stack.`,
      );
    }
    const headers = OriginCustomHeaders.map(({ HeaderName, HeaderValue }) => [
      HeaderName.toLowerCase(),
      HeaderValue,
    ]);
    return {
      kind: 'api',
      domainName: DomainName,
      path: OriginPath,
      headers: Object.fromEntries(headers) as Record<string, string>,
    };
  }

  #isForDevelopment({ origin }: Behavior, uri: string): boolean {
    if (!this.#options.development || origin.kind !== 'bucket') return false;
    const found = this.#options.buckets.get(origin.bucket, keyOf(origin.path, uri));
    return found.kind === 'missing' || !found.object.rendered;
  }

  #develop(behavior: Behavior, request: IncomingMessage, response: ServerResponse): void {
    const { development } = this.#options;
    const headers: Response['headers'] = {};
    addHeaders(behavior.responseHeaders, headers);
    for (const [name, value] of Object.entries(this.#local(headers))) response.setHeader(name, value);
    development?.serve(request, response);
  }

  async #fetch(behavior: Behavior, asked: EdgeRequest, request: IncomingMessage): Promise<Response> {
    const { origin } = behavior;
    if (origin.kind === 'bucket') return this.#object(origin, asked.uri);
    const answer = await this.#options.apis.answer(
      origin.domainName,
      forwarded(behavior, origin, asked, request),
    );
    return { ...answer, headers: { ...answer.headers } };
  }

  #object({ bucket, path }: Origin & { kind: 'bucket' }, uri: string): Response {
    const found = this.#options.buckets.get(bucket, keyOf(path, uri));
    if (found.kind === 'missing') {
      return {
        status: found.status,
        headers: { 'content-type': 'application/xml' },
        body: Buffer.from(
          `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${found.status === 404 ? 'NoSuchKey' : 'AccessDenied'}</Code></Error>`,
        ),
      };
    }
    const { body, contentType, etag, lastModified, cacheControl } = found.object;
    return {
      status: 200,
      headers: {
        'content-type': contentType,
        etag,
        'last-modified': lastModified.toUTCString(),
        ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
      },
      body,
    };
  }

  // CloudFront puts its page in place of every origin's error, the API's too.
  #errorPage(distribution: Distribution, fetched: Response): Response {
    const error = distribution.errors.get(fetched.status);
    if (!error) return fetched;
    const { origin } = behaviorFor(distribution, error.page ?? '/');
    if (error.page === undefined || origin.kind !== 'bucket') return fetched;
    const page = this.#object(origin, error.page);
    return page.status === 200 ? { ...page, status: error.status } : fetched;
  }

  #send(behavior: Behavior, request: IncomingMessage, response: ServerResponse, answer: Response): void {
    addHeaders(behavior.responseHeaders, answer.headers);
    this.#write(behavior, request, response, answer);
  }

  #write(behavior: Behavior, request: IncomingMessage, response: ServerResponse, answer: Response): void {
    const { status } = answer;
    const headers = this.#local(answer.headers);
    let { body } = answer;
    if (String(headers['content-type']).startsWith('text/html')) {
      body = Buffer.from(
        body.toString('utf8').replace(/<head(\s[^>]*)?>/i, (head) => `${head}${this.#options.script}`),
      );
      headers['etag'] = `"${createHash('md5').update(body).digest('hex')}"`;
    }
    if (status === 200 && isUnchanged(request, headers)) {
      delete headers['content-type'];
      response.writeHead(304, headers).end();
      return;
    }
    body = compressed(behavior, request, headers, body);
    const hasBody = status !== 204 && status !== 304;
    if (hasBody) headers['content-length'] = String(body.byteLength);
    response.writeHead(status, headers).end(request.method === 'HEAD' || !hasBody ? undefined : body);
  }

  #local(headers: Response['headers']): Response['headers'] {
    const policy = headers['content-security-policy'];
    if (typeof policy !== 'string') return headers;
    const { development } = this.#options;
    const plain = overHttp(policy);
    return {
      ...headers,
      'content-security-policy': development ? forDevelopment(plain, development.socketOrigin) : plain,
    };
  }
}

function behaviorFor({ behaviors }: Distribution, path: string): Behavior {
  const found = behaviors.find((behavior) => behavior.matches(path));
  if (!found) throw new Error('The default behaviour takes every path.');
  return found;
}

// A leading slash is optional in a pattern, `*` takes any characters and `?` one.
function pathPattern(pattern: string): (path: string) => boolean {
  const source = pattern
    .replace(/^\/?/, '/')
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`);
  return (path) => expression.test(path);
}

function pathAndQuery(url: string): [string, string] {
  // A proxy's request line carries the whole address.
  const relative = url.replace(/^https?:\/\/[^/]*/, '');
  const at = relative.indexOf('?');
  const path = at < 0 ? relative : relative.slice(0, at);
  return [path.startsWith('/') ? path : `/${path}`, at < 0 ? '' : relative.slice(at + 1)];
}

/** A key is a name in a list and never a path on this machine, so `..` leads nowhere. */
function keyOf(originPath: string, uri: string): string {
  const path = `${originPath}${uri}`.slice(1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function edgeRequestOf(request: IncomingMessage, uri: string, query: string): EdgeRequest {
  const { cookie, ...headers } = request.headers;
  const cookies = (cookie ?? '').split(/;\s*/).filter((pair) => pair.includes('='));
  return {
    method: request.method ?? 'GET',
    uri,
    querystring: edgeValues(
      // As they are: CloudFront doesn't decode them.
      query
        .split('&')
        .filter((pair) => pair !== '')
        .map((pair) => splitPair(pair)),
    ),
    headers: edgeHeaders(headers),
    cookies: edgeValues(cookies.map((pair) => splitPair(pair))),
  };
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function edgeValues(pairs: [string, string][]): EdgeValues {
  // A map first: on an object, a name like `__proto__` would find what every object inherits.
  const values = new Map<string, EdgeValues[string]>();
  for (const [name, value] of pairs) {
    const before = values.get(name);
    values.set(
      name,
      before
        ? { ...before, multiValue: [...(before.multiValue ?? [{ value: before.value }]), { value }] }
        : { value },
    );
  }
  return Object.fromEntries(values);
}

function edgeHeaders(headers: Record<string, string | string[] | undefined>): EdgeValues {
  return edgeValues(
    Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name.toLowerCase(), each]),
    ),
  );
}

function plainHeaders(values: EdgeValues): Response['headers'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, { value, multiValue }]) => [
      name.toLowerCase(),
      multiValue ? multiValue.map((each) => each.value) : value,
    ]),
  );
}

// What CloudFront sends on whatever the policies say, or puts there itself.
const ALWAYS_PASSED = new Set(['content-type', 'content-length']);

const pairs = (values: [string, EdgeValues[string]][]): string[] =>
  values.flatMap(([name, { value, multiValue }]) =>
    (multiValue ?? [{ value }]).map((each) => `${name}=${each.value}`),
  );

function forwarded(
  { caching, originRequest }: Behavior,
  origin: Origin & { kind: 'api' },
  asked: EdgeRequest,
  request: IncomingMessage,
): GatewayRequest {
  const only = (values: EdgeValues, kind: 'headers' | 'cookies' | 'query') =>
    Object.entries(values).filter(
      ([name]) =>
        (kind === 'headers' && ALWAYS_PASSED.has(name)) || passes([caching[kind], originRequest[kind]], name),
    );
  const query = pairs(only(asked.querystring, 'query')).join('&');
  const cookie = pairs(only(asked.cookies, 'cookies')).join('; ');
  return {
    method: asked.method,
    url: `${origin.path}${asked.uri}${query && `?${query}`}`,
    headers: {
      'user-agent': 'Amazon CloudFront',
      ...plainHeaders(Object.fromEntries(only(asked.headers, 'headers'))),
      ...(cookie && { cookie }),
      ...origin.headers,
      via: '2.0 local.cloudfront.net (CloudFront)',
    },
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
    body: request,
  };
}

function addHeaders({ set, remove }: ResponseHeaders, headers: Response['headers']): void {
  for (const name of remove) delete headers[name];
  for (const { name, value, override } of set) {
    if (override || headers[name] === undefined) headers[name] = value;
  }
}

// A compressed answer's tag is the same but for this mark.
const strong = (tag: string): string => tag.trim().replace(/^W\//, '');

function isUnchanged(request: IncomingMessage, headers: Response['headers']): boolean {
  const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const { etag, 'last-modified': modified } = headers;
  if (known !== undefined) {
    return typeof etag === 'string' && known.split(',').some((tag) => strong(tag) === strong(etag));
  }
  return since !== undefined && typeof modified === 'string' && new Date(since) >= new Date(modified);
}

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/ServingCompressedFiles.html
const SMALLEST_COMPRESSED = 1_000;
const LARGEST_COMPRESSED = 10_000_000;
const COMPRESSIBLE =
  /^(text\/|application\/(javascript|json|xml|wasm|vnd\.ms-fontobject|[\w.-]+\+(json|xml))|image\/svg\+xml|font\/(ttf|otf|opentype))/;

/** By what it is compressed from, then by encoding. An object of a bucket is the same buffer each time. */
const compressedBefore = new WeakMap<Buffer, Partial<Record<'br' | 'gzip', Buffer>>>();

function compressed(
  { compress, caching }: Behavior,
  request: IncomingMessage,
  headers: Response['headers'],
  body: Buffer,
): Buffer {
  const fits = body.byteLength >= SMALLEST_COMPRESSED && body.byteLength <= LARGEST_COMPRESSED;
  const isText = COMPRESSIBLE.test(String(headers['content-type'] ?? ''));
  if (!compress || !fits || !isText || headers['content-encoding'] !== undefined) return body;
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding =
    caching.brotli && /\bbr\b/.test(accepted)
      ? 'br'
      : caching.gzip && /\bgzip\b/.test(accepted)
        ? 'gzip'
        : undefined;
  if (!encoding) return body;
  headers['content-encoding'] = encoding;
  headers['vary'] = 'accept-encoding';
  if (typeof headers['etag'] === 'string') headers['etag'] = headers['etag'].replace(/^(W\/)?/, 'W/');
  const before = compressedBefore.get(body) ?? {};
  compressedBefore.set(body, before);
  return (before[encoding] ??=
    encoding === 'gzip'
      ? gzipSync(body)
      : // CloudFront compresses as it serves, and so at about this quality.
        brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }));
}

function refusal(text: string): Response {
  return { status: 403, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text) };
}
