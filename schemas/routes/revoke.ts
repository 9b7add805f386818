import { RevocationRequest, RevocationResponse } from '../shapes/app-tokens.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

/** Ends an app's session (RFC 7009). */
export const endpoint = {
  method: 'POST',
  path: '/revoke',
  caller: 'app',
  tables: { AppSessions: ['DeleteItem'] },
  needs: ['relayClient', 'appTokens'],
  form: RevocationRequest,
  response: RevocationResponse,
  status: 200,
  refusals: [],
  throttle: openThrottle,
} as const satisfies Endpoint;
