import { api } from '../../schemas/api.ts';
import { type WaitlistTable, waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { environment } from '../runtime/environment.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

export const joinWaitlist = ({ waitlist }: { waitlist: WaitlistTable }) =>
  route(api.waitlist, async ({ email, name }, { now }) => {
    const entry = { email, name, created_at: now.toISOString() };
    if (!(await waitlist.add(entry))) throw new Refusal('already-on-waitlist');
    return entry;
  });

const settings = environment('joinWaitlist');
export const handler = joinWaitlist({ waitlist: waitlistTable(settings.WAITLIST_TABLE) });
