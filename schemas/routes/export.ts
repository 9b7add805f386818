import { AccountExport } from '../shapes/account-export.ts';
import type { Endpoint } from './endpoint.ts';

/** All personal data of the caller. */
export const endpoint = {
  method: 'GET',
  path: '/export',
  caller: 'bearer',
  tables: {
    UserPlans: ['GetItem'],
    Waitlist: ['GetItem'],
    AddressChanges: ['GetItem'],
    AppSessions: ['Query'],
  },
  needs: ['stripe'],
  response: AccountExport,
  status: 200,
  refusals: [],
  // Each call sends Stripe two requests, and Stripe allows a hundred a second. A script with one account must
  // leave enough requests for users who pay.
  throttle: { rate: 10, burst: 50 },
} as const satisfies Endpoint;
