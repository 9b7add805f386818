import type { Endpoint } from './routes/endpoint.ts';
import { endpoint as cspReport } from './routes/csp-report.ts';
import { endpoint as githubOidc } from './routes/github-oidc.ts';
import { endpoint as revoke } from './routes/revoke.ts';
import { endpoint as stripeWebhook } from './routes/stripe-webhook.ts';
import { endpoint as token } from './routes/token.ts';
import { siteApi } from './site-api.ts';

/**
 * Every route. The key is the name of the route's file in `schemas/routes/`, and of the handler's file
 * (`handlerFileOf`). The Api construct reads this table. A handler imports its own route alone, because
 * building the schemas of all routes takes a tenth of a cold start. To add a route, add its file, its
 * handler's file and an entry here, or in `siteApi` if the site calls it.
 */
export const api = {
  ...siteApi,
  token,
  revoke,
  'csp-report': cspReport,
  'github-oidc': githubOidc,
  'stripe-webhook': stripeWebhook,
} as const satisfies Record<string, Endpoint>;

export type Api = typeof api;
export type RouteName = keyof Api;

const folders: { readonly [C in Endpoint['caller']]?: string } = {
  stripe: 'webhooks',
  cognito: 'github-oidc',
};

/** A route's handler: its file below `functions/`, without the extension. */
export const handlerFileOf = (name: string, { caller }: Endpoint): string =>
  `${folders[caller] ?? 'api'}/${name}`;
