import { endpoint } from '../../schemas/routes/waitlist.ts';
import { type WaitlistTable, waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

export const joinWaitlist = ({ waitlist }: { waitlist: WaitlistTable }) =>
  route(endpoint, async ({ email, name }, { now }) => {
    const entry = { email, name, created_at: now.toISOString() };
    if (!(await waitlist.add(entry))) throw new Refusal('already-on-waitlist');
    return entry;
  });

export const handler = withEnvironment(endpoint.needs, (environment) =>
  joinWaitlist({ waitlist: waitlistTable(environment.WAITLIST_TABLE) }),
);
