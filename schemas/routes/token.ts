import { AppTokens, TokenRequest } from '../shapes/app-tokens.ts';
import type { Endpoint } from './endpoint.ts';

/** The token endpoint for apps (RFC 6749): redeems a code, or replaces a refresh token. */
export const endpoint = {
  method: 'POST',
  path: '/token',
  caller: 'app',
  tables: { AppCodes: ['DeleteItem'], AppSessions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
  needs: ['relayClient', 'appTokens'],
  form: TokenRequest,
  response: AppTokens,
  status: 200,
  refusals: [],
  // Cognito's own limit for new tokens. An app in use refreshes every hour: 120 a second are 430,000 apps in
  // use. The firewall lets one IP address have 720 in a minute.
  throttle: { rate: 120, burst: 960 },
} as const satisfies Endpoint;
