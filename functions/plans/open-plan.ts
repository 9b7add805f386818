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
  // Asked after the row was missed, whatever was asked before: a deletion may have ended in between, and
  // nobody would remove the row that is created here.
  await sessionUser.profile(user.accessToken);
  return plans.open(user.id, now, user.signedInAt);
}
