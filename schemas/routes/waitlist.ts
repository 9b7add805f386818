import type { Endpoint } from '../endpoint.ts';
import { WaitlistEntry, WaitlistRequest } from '../waitlist.ts';

export const endpoint = {
  method: 'POST',
  path: '/waitlist',
  caller: 'anyone',
  needs: ['joinWaitlist'],
  body: WaitlistRequest,
  response: WaitlistEntry,
  status: 201,
  refusals: ['already-on-waitlist'],
  // Five a second is far above any launch day, and keeps a script from filling the table.
  throttle: { rate: 5, burst: 10 },
} as const satisfies Endpoint;
