import { endpoint } from '../../schemas/routes/waitlist.ts';
import { waitlist } from '../adapters/tables.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

const adapters = { waitlist };

export const joinWaitlist = (dependencies: Made<typeof adapters>) =>
  route(endpoint, async (request, { now }) => {
    const entry = { ...request, created_at: now.toISOString() };
    if (!(await dependencies.waitlist.add(entry))) throw refusal(endpoint, 'already-on-waitlist');
    return entry;
  });

export const handler = withAdapters(endpoint, adapters, joinWaitlist);
