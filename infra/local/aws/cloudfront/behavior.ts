import type * as z from 'zod/mini';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { StartFailure } from '../../base/start-failure.ts';
import type { Stack } from '../../stack/template.ts';
import { EdgeFunction } from './function.ts';
import type { Origin } from './origin.ts';
import { Policies, type ResponseHeaders } from './policies.ts';
import { type BehaviorProperties, DistributionProperties, FunctionProperties } from './properties.ts';

export interface Behavior {
  matches(path: string): boolean;
  origin: DistributionOrigin;
  methods: ReadonlySet<string>;
  compress: boolean;
  /** Whether the origin gets the viewer's headers, cookies and query. */
  forwards: boolean;
  responseHeaders: ResponseHeaders;
  onRequest: EdgeFunction | undefined;
  onResponse: EdgeFunction | undefined;
}

/** A bucket or API with the distribution's settings for it. */
interface DistributionOrigin {
  source: Origin;
  /** The prefix for the path of each request. */
  path: string;
  /** Headers added to each request. */
  headers: Record<string, string>;
}

export interface Distribution {
  /** The behaviors in the order of matching. The last is the default behavior, which matches every path. */
  behaviors: readonly Behavior[];
  rootObject: string;
}

/** The stack's only distribution. */
export function distributionOf(
  stack: Stack,
  originAt: (domainName: string) => Origin | undefined,
): Distribution {
  const [resource, second] = stack.of('AWS::CloudFront::Distribution');
  if (!resource || second) {
    throw new StartFailure(
      'The local world serves exactly one distribution, and this stack has none or several.',
    );
  }
  const { DistributionConfig: config } = propertiesOf(DistributionProperties, resource);
  const origins = new Map(config.Origins.map((origin) => [origin.Id, distributionOrigin(origin, originAt)]));
  const behavior = behaviorReader(stack, origins);
  return {
    behaviors: [
      ...config.CacheBehaviors.map((properties) => behavior(properties, pathPattern(properties.PathPattern))),
      behavior(config.DefaultCacheBehavior, () => true),
    ],
    rootObject: config.DefaultRootObject,
  };
}

function behaviorReader(stack: Stack, origins: ReadonlyMap<string, DistributionOrigin>) {
  const policies = new Policies(stack);
  const functions = new Map(
    stack
      .of('AWS::CloudFront::Function')
      .map((fn) => [fn.ref, new EdgeFunction(fn.id, propertiesOf(FunctionProperties, fn).FunctionCode)]),
  );
  return (properties: z.infer<typeof BehaviorProperties>, matches: (path: string) => boolean): Behavior => {
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
      compress: policies.compresses(properties.CachePolicyId) && properties.Compress,
      forwards: policies.forwards(properties.OriginRequestPolicyId),
      responseHeaders: policies.responseHeaders(properties.ResponseHeadersPolicyId),
      onRequest: associated('viewer-request'),
      onResponse: associated('viewer-response'),
    };
  };
}

function distributionOrigin(
  {
    Id,
    DomainName,
    OriginPath,
    OriginCustomHeaders,
  }: z.infer<typeof DistributionProperties>['DistributionConfig']['Origins'][number],
  originAt: (domainName: string) => Origin | undefined,
): DistributionOrigin {
  const source = originAt(DomainName);
  if (!source) {
    throw new StartFailure(
      `The distribution's origin ${Id} is ${DomainName}, which is neither a bucket nor an API of the stack.`,
    );
  }
  const headers = OriginCustomHeaders.map(({ HeaderName, HeaderValue }): [string, string] => [
    HeaderName.toLowerCase(),
    HeaderValue,
  ]);
  return { source, path: OriginPath, headers: Object.fromEntries(headers) };
}

export function behaviorFor({ behaviors }: Distribution, path: string): Behavior {
  const found = behaviors.find((behavior) => behavior.matches(path));
  if (!found) throw new Error('The default behavior takes every path.');
  return found;
}

// A leading slash is optional in a pattern, `*` stands for any characters and `?` for a single character.
function pathPattern(pattern: string): (path: string) => boolean {
  const source = pattern
    .replace(/^\/?/, '/')
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`);
  return (path) => expression.test(path);
}
