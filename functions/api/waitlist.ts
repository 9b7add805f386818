import { endpoint } from '../../schemas/routes/waitlist.ts';
import { waitlist } from '../adapters/tables.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

export const handler = route(endpoint, { waitlist }, async (request, { now }, dependencies) => {
  const entry = { ...request, created_at: now.toISOString() };
  if (!(await dependencies.waitlist.add(entry))) throw refusal(endpoint, 'already-on-waitlist');
  return entry;
});
