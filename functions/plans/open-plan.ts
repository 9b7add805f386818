import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { User } from '../runtime/read-request.ts';

/** Creates the row that sign-up's trigger failed to create. Refuses as `not-signed-in` after a deletion. */
export async function openPlan(
  { planTable, sessionUser }: Uses<'planTable' | 'sessionUser'>,
  user: User,
  now: Date,
): Promise<UserPlan> {
  // A deletion may have finished meanwhile, and nobody would remove a row that is created here.
  const known = await sessionUser.account(user.accessToken);
  return planTable.open(user.id, now, { signedInAt: user.signedInAt, ...known });
}
