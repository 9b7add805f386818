import { RelayCodeRequest, RelayCodeResponse } from '../shapes/app-tokens.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

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
  throttle: openThrottle,
} as const satisfies Endpoint;
