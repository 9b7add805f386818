import type { UserPlan } from '../../schemas/plan.ts';
import type { SessionUser } from '../adapters/cognito/session-user.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import { requireSession } from '../runtime/require-session.ts';
import type { User } from '../runtime/route.ts';

/**
 * Creates the row that sign-up's trigger failed to create, or resolves with the existing row. Refuses as
 * `not-signed-in` for an account that has been deleted.
 */
export async function openPlan(
  { plans, sessionUser }: { plans: PlansTable; sessionUser: SessionUser },
  user: User,
  now: Date,
): Promise<UserPlan> {
  await requireSession(sessionUser, user);
  return plans.open(user.id, now);
}
