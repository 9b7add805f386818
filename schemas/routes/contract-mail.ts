import { MailRequest, MailResponse } from '../shapes/mail-request.ts';
import type { Endpoint } from './endpoint.ts';

/** Mails the owner of an account a link that ends the contract without a sign-in. */
export const endpoint = {
  method: 'POST',
  path: '/contract-mail',
  caller: 'anyone',
  tables: { Addresses: ['GetItem'], AddressChanges: ['PutItem', 'UpdateItem'] },
  userPool: ['AdminGetUser'],
  needs: ['mail', 'site'],
  body: MailRequest,
  response: MailResponse,
  status: 200,
  refusals: [],
  // Mails are counted for each address. The firewall blocks an IP address before a burst is used up.
  throttle: { rate: 5, burst: 40 },
} as const satisfies Endpoint;
