import { MailRequest, MailResponse } from '../shapes/mail-request.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

/**
 * Beside a password reset: mails who has no password, since a provider opens the account, how to sign in.
 * Cognito sends nothing for such an account.
 */
export const endpoint = {
  method: 'POST',
  path: '/provider-reminder',
  caller: 'anyone',
  tables: { Addresses: ['GetItem'], AddressChanges: ['UpdateItem'] },
  userPool: ['AdminGetUser'],
  needs: ['mail', 'site'],
  body: MailRequest,
  response: MailResponse,
  status: 200,
  refusals: [],
  throttle: openThrottle,
} as const satisfies Endpoint;
