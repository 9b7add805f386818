import { MailRequest, MailResponse } from '../shapes/mail-request.ts';
import type { Endpoint } from './endpoint.ts';

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
  // Mails are counted for each address. The firewall blocks an IP address before a burst is used up.
  throttle: { rate: 5, burst: 40 },
} as const satisfies Endpoint;
