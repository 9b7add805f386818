import type { UserPlan } from '../../schemas/plan.ts';
import type { Accounts } from '../adapters/cognito/session-user.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import type { User } from '../runtime/route.ts';
import { stillSignedIn } from '../runtime/require-session.ts';

/** Sign-up's trigger may have failed, and the first look makes up for it; but not for an account that is gone. */
export async function openRow(
  { plans, accounts }: { plans: PlansTable; accounts: Accounts },
  user: User,
  now: Date,
): Promise<UserPlan> {
  await stillSignedIn(accounts, user);
  return plans.open(user.id, now);
}
