import * as z from 'zod/mini';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { StartFailure } from '../../base/start-failure.ts';
import type { Stack } from '../../stack/template.ts';

/** The headers, cookies or query parameters of a request that the origin gets. */
type Passing =
  | { kind: 'none' }
  | { kind: 'all' }
  | { kind: 'only'; names: string[] }
  | { kind: 'all-but'; names: string[] };

export interface OriginRequest {
  headers: Passing;
  cookies: Passing;
  query: Passing;
}

export interface Caching extends OriginRequest {
  gzip: boolean;
  brotli: boolean;
}

interface ResponseHeader {
  name: string;
  value: string;
  /** Whether the header replaces the origin's header. */
  override: boolean;
}

export interface ResponseHeaders {
  set: ResponseHeader[];
  remove: string[];
}

const none = { kind: 'none' } as const;
const all = { kind: 'all' } as const;

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
const managedCaching: Record<string, Caching> = {
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': {
    headers: none,
    cookies: none,
    query: none,
    gzip: true,
    brotli: true,
  },
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': {
    headers: none,
    cookies: none,
    query: none,
    gzip: false,
    brotli: false,
  },
};

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html
const managedOriginRequests: Record<string, OriginRequest> = {
  // AllViewer
  '216adef6-5c7f-47e4-b989-5492eafa07d3': { headers: all, cookies: all, query: all },
  // AllViewerExceptHostHeader
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': {
    headers: { kind: 'all-but', names: ['host'] },
    cookies: all,
    query: all,
  },
};

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-response-headers-policies.html
const managedResponseHeaders: Record<string, ResponseHeaders> = {
  // SecurityHeadersPolicy
  '67f7725c-6f97-4210-82d7-5512b31e9d03': {
    set: [
      { name: 'x-xss-protection', value: '1; mode=block', override: false },
      { name: 'x-frame-options', value: 'SAMEORIGIN', override: false },
      { name: 'referrer-policy', value: 'strict-origin-when-cross-origin', override: false },
      { name: 'x-content-type-options', value: 'nosniff', override: true },
    ],
    remove: [],
  },
};

const names = z.object({ Items: z._default(z.array(z.string()), []) });
const HeadersConfig = z.object({
  HeaderBehavior: z.enum(['none', 'whitelist', 'allViewer', 'allExcept']),
  Headers: z.optional(z.union([names, z.array(z.string())])),
});
const CookiesConfig = z.object({
  CookieBehavior: z.enum(['none', 'whitelist', 'all', 'allExcept']),
  Cookies: z.optional(z.union([names, z.array(z.string())])),
});
const QueryStringsConfig = z.object({
  QueryStringBehavior: z.enum(['none', 'whitelist', 'all', 'allExcept']),
  QueryStrings: z.optional(z.union([names, z.array(z.string())])),
});
const OriginRequestProperties = z.object({
  OriginRequestPolicyConfig: z.object({ HeadersConfig, CookiesConfig, QueryStringsConfig }),
});
const CacheProperties = z.object({
  CachePolicyConfig: z.object({
    ParametersInCacheKeyAndForwardedToOrigin: z.object({
      HeadersConfig,
      CookiesConfig,
      QueryStringsConfig,
      EnableAcceptEncodingGzip: z._default(z.boolean(), false),
      EnableAcceptEncodingBrotli: z._default(z.boolean(), false),
    }),
  }),
});
const override = { Override: z.boolean() };
const ResponseHeadersProperties = z.object({
  ResponseHeadersPolicyConfig: z.object({
    // CORS is not emulated: the site and its API share an origin.
    CorsConfig: z.optional(z.undefined()),
    SecurityHeadersConfig: z.optional(
      z.object({
        ContentSecurityPolicy: z.optional(z.object({ ContentSecurityPolicy: z.string(), ...override })),
        ContentTypeOptions: z.optional(z.object(override)),
        FrameOptions: z.optional(z.object({ FrameOption: z.string(), ...override })),
        ReferrerPolicy: z.optional(z.object({ ReferrerPolicy: z.string(), ...override })),
        XSSProtection: z.optional(
          z.object({ Protection: z.boolean(), ModeBlock: z.optional(z.boolean()), ...override }),
        ),
      }),
    ),
    CustomHeadersConfig: z.optional(
      z.object({ Items: z.array(z.object({ Header: z.string(), Value: z.string(), ...override })) }),
    ),
    RemoveHeadersConfig: z.optional(z.object({ Items: z.array(z.object({ Header: z.string() })) })),
  }),
});

/** The policies that a distribution may name: CloudFront's managed policies and the stack's, by id. */
export class Policies {
  readonly #caching: Record<string, Caching>;
  readonly #originRequests: Record<string, OriginRequest>;
  readonly #responseHeaders: Record<string, ResponseHeaders>;

  constructor(stack: Stack) {
    this.#caching = {
      ...managedCaching,
      ...Object.fromEntries(
        stack.of('AWS::CloudFront::CachePolicy').map((resource) => {
          const { ParametersInCacheKeyAndForwardedToOrigin: forwarded } = propertiesOf(
            CacheProperties,
            resource,
          ).CachePolicyConfig;
          const { EnableAcceptEncodingGzip: gzip, EnableAcceptEncodingBrotli: brotli } = forwarded;
          return [resource.ref, { ...originRequestOf(forwarded), gzip, brotli }];
        }),
      ),
    };
    this.#originRequests = {
      ...managedOriginRequests,
      ...Object.fromEntries(
        stack
          .of('AWS::CloudFront::OriginRequestPolicy')
          .map((resource) => [
            resource.ref,
            originRequestOf(propertiesOf(OriginRequestProperties, resource).OriginRequestPolicyConfig),
          ]),
      ),
    };
    this.#responseHeaders = {
      ...managedResponseHeaders,
      ...Object.fromEntries(
        stack
          .of('AWS::CloudFront::ResponseHeadersPolicy')
          .map((resource) => [
            resource.ref,
            responseHeadersOf(propertiesOf(ResponseHeadersProperties, resource)),
          ]),
      ),
    };
  }

  caching(id: string | undefined): Caching {
    return named(this.#caching, id, 'cache policy');
  }

  /** Without an origin request policy, the origin only gets the values in the cache policy's key. */
  originRequest(id: string | undefined): OriginRequest {
    return id === undefined
      ? { headers: none, cookies: none, query: none }
      : named(this.#originRequests, id, 'origin request policy');
  }

  responseHeaders(id: string | undefined): ResponseHeaders {
    return id === undefined
      ? { set: [], remove: [] }
      : named(this.#responseHeaders, id, 'response headers policy');
  }
}

/** Whether any of these policies lets `name` through. */
export function passes(passings: readonly Passing[], name: string): boolean {
  return passings.some((rule) => {
    if (rule.kind === 'only') return rule.names.includes(name);
    if (rule.kind === 'all-but') return !rule.names.includes(name);
    return rule.kind === 'all';
  });
}

function named<T>(policies: Record<string, T>, id: string | undefined, kind: string): T {
  const policy = id === undefined ? undefined : policies[id];
  if (!policy) {
    throw new StartFailure(
      `infra/local/aws/cloudfront/policies.ts doesn't know the ${kind} ${id ?? '(none given)'}.`,
    );
  }
  return policy;
}

type Listed = z.infer<typeof names> | string[] | undefined;

function passing(
  behavior: 'none' | 'whitelist' | 'all' | 'allViewer' | 'allExcept',
  listed: Listed,
): Passing {
  const given = Array.isArray(listed) ? listed : (listed?.Items ?? []);
  if (behavior === 'whitelist') return { kind: 'only', names: given };
  if (behavior === 'allExcept') return { kind: 'all-but', names: given };
  return behavior === 'none' ? none : all;
}

function originRequestOf(config: {
  HeadersConfig: z.infer<typeof HeadersConfig>;
  CookiesConfig: z.infer<typeof CookiesConfig>;
  QueryStringsConfig: z.infer<typeof QueryStringsConfig>;
}): OriginRequest {
  const { HeadersConfig: headers, CookiesConfig: cookies, QueryStringsConfig: query } = config;
  const listed = Array.isArray(headers.Headers) ? headers.Headers : headers.Headers?.Items;
  return {
    headers: passing(
      headers.HeaderBehavior,
      listed?.map((name) => name.toLowerCase()),
    ),
    cookies: passing(cookies.CookieBehavior, cookies.Cookies),
    query: passing(query.QueryStringBehavior, query.QueryStrings),
  };
}

// Strict-Transport-Security is left out, because browsers ignore it over HTTP.
function responseHeadersOf({
  ResponseHeadersPolicyConfig: config,
}: z.infer<typeof ResponseHeadersProperties>): ResponseHeaders {
  const security = config.SecurityHeadersConfig ?? {};
  const set: ResponseHeader[] = [];
  const add = (name: string, value: string, { Override }: { Override: boolean }) =>
    set.push({ name, value, override: Override });
  const {
    ContentSecurityPolicy: csp,
    ContentTypeOptions,
    FrameOptions,
    ReferrerPolicy,
    XSSProtection,
  } = security;
  if (csp) add('content-security-policy', csp.ContentSecurityPolicy, csp);
  if (ContentTypeOptions) add('x-content-type-options', 'nosniff', ContentTypeOptions);
  if (FrameOptions) add('x-frame-options', FrameOptions.FrameOption, FrameOptions);
  if (ReferrerPolicy) add('referrer-policy', ReferrerPolicy.ReferrerPolicy, ReferrerPolicy);
  if (XSSProtection) {
    const value = XSSProtection.Protection ? `1${XSSProtection.ModeBlock ? '; mode=block' : ''}` : '0';
    add('x-xss-protection', value, XSSProtection);
  }
  for (const item of config.CustomHeadersConfig?.Items ?? []) {
    add(item.Header.toLowerCase(), item.Value, item);
  }
  return {
    set: set.filter(({ name }) => name !== 'strict-transport-security'),
    remove: (config.RemoveHeadersConfig?.Items ?? []).map(({ Header }) => Header.toLowerCase()),
  };
}
