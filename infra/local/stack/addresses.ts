import { REGION } from './resource-type.ts';
import type { Resource, Stack } from './template.ts';

/** The addresses of the local world, as origins. */
export interface LocalOrigins {
  site: string;
  cognito: string;
  stripe: string;
  providers: string;
}

export interface StripeAddress {
  kind: 'stand-in' | 'real';
  /** Stripe's publishable test key, for the browser. */
  publishableKey: string;
}

/**
 * A function that replaces each deployed address in a text with a local address. Applied to every string in
 * the template's properties: environments, `config.json`, the issuer of tokens, the content security policy.
 * `sites`: the deployed origins of the site. `vendors`: origins of other vendors.
 */
export function localAddresses(
  stack: Stack,
  sites: readonly string[],
  origins: LocalOrigins,
  stripe: StripeAddress,
  vendors: readonly [deployed: string, local: string][],
): (text: string) => string {
  const table: [string, string][] = [
    [`https://cognito-idp.${REGION}.amazonaws.com`, origins.cognito],
    ...stack
      .of('AWS::Cognito::UserPoolDomain')
      .map(({ ref }): [string, string] => [
        `https://${ref}.auth.${REGION}.amazoncognito.com`,
        origins.cognito,
      ]),
    ...vendors,
    ...sites.map((origin): [string, string] => [origin, origins.site]),
  ];
  if (stripe.kind === 'stand-in') {
    table.push(['https://api.stripe.com', origins.stripe], ['https://js.stripe.com', origins.stripe]);
  }
  return (text) =>
    table
      .reduce((moved, [from, to]) => moved.replaceAll(from, to), text)
      .replaceAll(/\bpk_(?:test|live)_\w+/g, stripe.publishableKey);
}

/** The stack, with `readdress` applied to every string in its resources' properties and in deployed texts. */
export function readdressed(stack: Stack, readdress: (text: string) => string): Stack {
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return readdress(value);
    if (Array.isArray(value)) return value.map(deep);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deep(item)]));
  };
  return {
    name: stack.name,
    metadata: stack.metadata,
    asset: (objectKey) => stack.asset(objectKey),
    withLocalAddresses: readdress,
    of: (type) =>
      stack.of(type).map((resource): Resource => ({
        ...resource,
        properties: deep(resource.properties) as Record<string, unknown>,
      })),
  };
}
