import * as z from 'zod/mini';
import { propertiesOf } from '../../stack/resource-properties.ts';
import type { Stack } from '../../stack/template.ts';

export const BehaviorProperties = z.object({
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
  // Lambda@Edge is not emulated.
  LambdaFunctionAssociations: z.optional(z.array(z.never())),
});
export const DistributionProperties = z.object({
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
          // Error pages are not emulated.
          ResponsePagePath: z.optional(z.undefined()),
        }),
      ),
      [],
    ),
  }),
});
export const FunctionProperties = z.object({ FunctionCode: z.string() });

/** The addresses of the stack's distributions in AWS, as origins. */
export function distributionOrigins(stack: Stack): string[] {
  return stack.of('AWS::CloudFront::Distribution').flatMap((resource) => {
    const { Aliases } = propertiesOf(DistributionProperties, resource).DistributionConfig;
    return [resource.attribute('DomainName'), ...Aliases].map((domain) => `https://${domain}`);
  });
}
