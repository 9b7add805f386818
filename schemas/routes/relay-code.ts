import { RelayCodeRequest, RelayCodeResponse } from '../shapes/app-tokens.ts';
import type { Endpoint } from './endpoint.ts';

/** Exchanges Cognito's code for a short one, which an app can redeem for a minute. */
export const endpoint = {
  method: 'POST',
  path: '/relay-code',
  caller: 'anyone',
  tables: { AppCodes: ['PutItem'] },
  needs: ['relayAddresses'],
  body: RelayCodeRequest,
  response: RelayCodeResponse,
  status: 201,
  refusals: ['address-not-registered'],
  // One call for each sign-in to an app. The firewall blocks an IP address before a burst is used up.
  throttle: { rate: 5, burst: 40 },
} as const satisfies Endpoint;
