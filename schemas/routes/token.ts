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
  // An app in use refreshes every 15 minutes: 50 a second are 45,000 apps in use. The firewall lets one IP
  // address have 300 in a minute.
  throttle: { rate: 50, burst: 400 },
} as const satisfies Endpoint;
