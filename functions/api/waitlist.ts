import { endpoint } from '../../schemas/routes/waitlist.ts';
import { type WaitlistTable, waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

const refusal = refusalsOf<typeof endpoint>();

export const joinWaitlist = ({ waitlist }: { waitlist: WaitlistTable }) =>
  route(endpoint, async (request, { now }) => {
    const entry = { ...request, created_at: now.toISOString() };
    if (!(await waitlist.add(entry))) throw refusal('already-on-waitlist');
    return entry;
  });

export const handler = withEnvironment(endpoint, (environment) =>
  joinWaitlist({ waitlist: waitlistTable(environment.WAITLIST_TABLE) }),
);
