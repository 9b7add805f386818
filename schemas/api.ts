import type { Endpoint } from './routes/endpoint.ts';
import { endpoint as cspReport } from './routes/csp-report.ts';
import { endpoint as githubOidc } from './routes/github-oidc.ts';
import { endpoint as revoke } from './routes/revoke.ts';
import { endpoint as stripeWebhook } from './routes/stripe-webhook.ts';
import { endpoint as token } from './routes/token.ts';
import { siteApi } from './site-api.ts';

/** Every route, by its file's name. A handler imports its own: all schemas take a tenth of a cold start. */
export const api = {
  ...siteApi,
  token,
  revoke,
  'csp-report': cspReport,
  'github-oidc': githubOidc,
  'stripe-webhook': stripeWebhook,
} as const satisfies Record<string, Endpoint>;

export type RouteName = keyof typeof api;

const folders: Partial<Record<Endpoint['caller'], string>> = { stripe: 'webhooks', cognito: 'github-oidc' };

/** A route's handler: its file below `functions/`, without the extension. */
export const handlerFileOf = (name: string, { caller }: Endpoint) => `${folders[caller] ?? 'api'}/${name}`;
