import { MailRequest, MailResponse } from '../shapes/mail-request.ts';
import { type Endpoint, openThrottle } from './endpoint.ts';

/**
 * Mails the owner of an account a link: to choose a password, or to end the contract, without a sign-in. An
 * account without a password gets a mail that says how its owner signs in.
 */
export const endpoint = {
  method: 'POST',
  path: '/mail-link',
  caller: 'anyone',
  tables: {
    Addresses: ['GetItem'],
    AppSessions: ['GetItem'],
    Proofs: ['PutItem'],
    Limits: ['UpdateItem'],
  },
  userPool: ['AdminGetUser'],
  needs: ['proofs', 'mail', 'site'],
  body: MailRequest,
  response: MailResponse,
  status: 200,
  refusals: [],
  throttle: openThrottle,
} as const satisfies Endpoint;
