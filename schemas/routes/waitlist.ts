import type { Endpoint } from '../endpoint.ts';
import { WaitlistEntry, WaitlistRequest } from '../waitlist.ts';

/** Joins the waitlist for Windows. */
export const endpoint = {
  method: 'POST',
  path: '/waitlist',
  caller: 'anyone',
  needs: ['joinWaitlist'],
  body: WaitlistRequest,
  response: WaitlistEntry,
  status: 201,
  refusals: ['already-on-waitlist', 'name-missing', 'name-too-long', 'name-unusable'],
  // Five a second is far above any launch day, and keeps a script from filling the table. The firewall blocks
  // an IP address before it has used up a burst.
  throttle: { rate: 5, burst: 40 },
} as const satisfies Endpoint;
