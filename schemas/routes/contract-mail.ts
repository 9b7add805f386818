import { MailRequest, MailResponse } from '../shapes/mail-request.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

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
  throttle: openThrottle,
} as const satisfies Endpoint;
