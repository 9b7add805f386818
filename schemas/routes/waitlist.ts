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
  // Five a second is far above any launch day, and keeps a script from filling the table. The firewall blocks
  // an IP address before a burst is used up.
  throttle: { rate: 5, burst: 40 },
} as const satisfies Endpoint;
