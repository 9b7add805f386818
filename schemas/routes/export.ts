import { AccountExport } from '../shapes/account-export.ts';
import { type Endpoint, sessionTables } from './endpoint.ts';

/** All personal data of the caller. */
export const endpoint = {
  method: 'GET',
  path: '/export',
  caller: 'bearer',
  notesSession: true,
  tables: { ...sessionTables, UserPlans: ['GetItem'], Waitlist: ['GetItem'], AddressChanges: ['GetItem'] },
  // The name is in the pool alone.
  userPool: ['AdminGetUser', 'ListUsers'],
  needs: ['stripe', 'mail', 'site'],
  response: AccountExport,
  // Each call sends Stripe two requests, and Stripe allows a hundred a second. A script must leave enough
  // requests for users who pay: the firewall leaves an IP address twelve calls a minute.
  throttle: { rate: 20, burst: 50 },
} as const satisfies Endpoint;
