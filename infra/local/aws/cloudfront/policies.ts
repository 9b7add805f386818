import * as z from 'zod/mini';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { StartFailure } from '../../base/start-failure.ts';
import type { Stack } from '../../stack/template.ts';

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

// Neither passes a header, cookie or query parameter on to the origin.
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
const managedCaching: Record<string, { compresses: boolean }> = {
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': { compresses: true },
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': { compresses: false },
};

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html
const ALL_VIEWER_EXCEPT_HOST_HEADER = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

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

/** The policies that a distribution may name: CloudFront's own named above, and the stack's. */
export class Policies {
  readonly #responseHeaders: Record<string, ResponseHeaders>;

  constructor(stack: Stack) {
    this.#responseHeaders = Object.fromEntries(
      stack
        .of('AWS::CloudFront::ResponseHeadersPolicy')
        .map((resource) => [
          resource.ref,
          responseHeadersOf(propertiesOf(ResponseHeadersProperties, resource)),
        ]),
    );
  }

  compresses(id: string): boolean {
    return named(managedCaching, id, 'cache policy').compresses;
  }

  /** Whether the origin gets the viewer's headers but for `host`, its cookies and its query. */
  forwards(id: string | undefined): boolean {
    return id !== undefined && named({ [ALL_VIEWER_EXCEPT_HOST_HEADER]: true }, id, 'origin request policy');
  }

  responseHeaders(id: string | undefined): ResponseHeaders {
    return id === undefined
      ? { set: [], remove: [] }
      : named(this.#responseHeaders, id, 'response headers policy');
  }
}

function named<T>(policies: Record<string, T>, id: string, kind: string): T {
  const policy = policies[id];
  if (policy === undefined) {
    throw new StartFailure(`infra/local/aws/cloudfront/policies.ts doesn't know the ${kind} ${id}.`);
  }
  return policy;
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
