import { AppTokens, TokenRequest } from '../shapes/app-tokens.ts';
import type { Endpoint } from './endpoint.ts';

/** The token endpoint for apps (RFC 6749): redeems a code, or replaces a refresh token. */
export const endpoint = {
  method: 'POST',
  path: '/token',
  caller: 'app',
  tables: {
    UserPlans: ['GetItem'],
    AppCodes: ['DeleteItem'],
    AppSessions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  needs: ['relayClient', 'appTokens'],
  form: TokenRequest,
  response: AppTokens,
  // Three quarters of Cognito's limit of 120, which refreshes share with sign-ins. An app in use refreshes
  // once a day. The firewall lets one IP address have 54 in a minute.
  throttle: { rate: 90, burst: 720 },
} as const satisfies Endpoint;
