import type { UserPlan } from '../../schemas/plan.ts';
import type { SessionUser } from '../adapters/cognito/session-user.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import type { User } from '../runtime/route.ts';

/**
 * Creates the row that sign-up's trigger failed to create, or resolves with the existing row. Refuses as
 * `not-signed-in` for an account that has been deleted.
 */
export async function openPlan(
  { plans, sessionUser }: { plans: Pick<PlansTable, 'open'>; sessionUser: Pick<SessionUser, 'profile'> },
  user: User,
  now: Date,
): Promise<UserPlan> {
  // Before the row is created, and not at the same time: nobody would remove the row of a deleted account.
  await sessionUser.profile(user.accessToken);
  return plans.open(user.id, now, user.signedInAt);
}
