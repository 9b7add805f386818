import type { Endpoint } from './endpoint.ts';
import { WaitlistEntry, WaitlistRequest } from '../rows/waitlist.ts';

/** Joins the waitlist for Windows. */
export const endpoint = {
  method: 'POST',
  path: '/waitlist',
  caller: 'anyone',
  tables: { Waitlist: ['PutItem'] },
  needs: [],
  body: WaitlistRequest,
  response: WaitlistEntry,
  status: 201,
  refusals: ['already-on-waitlist', 'name-missing', 'name-too-long', 'name-unusable'],
} as const satisfies Endpoint;
