import { api } from '../../schemas/api.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { stripeBilling } from '../adapters/stripe/billing.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { governing } from '../domain/decide-plan.ts';
import { planView } from '../domain/plan.ts';
import { environment } from '../runtime/environment.ts';
import { type PlanKeeping, reconcile } from '../plans/reconcile.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { stillSignedIn } from '../runtime/require-session.ts';

export const renewSubscription = ({
  plans,
  billing,
  accounts,
}: PlanKeeping & { accounts: Pick<Accounts, 'emailOf'> }) =>
  route(api['renew-subscription'], async (_, { user, now }) => {
    await stillSignedIn(accounts, user);
    const before = await reconcile({ plans, billing }, user.id, now);
    const ending = before && governing(before.subscriptions, before.row);
    if (ending?.endsAt === undefined) throw new Refusal('nothing-to-renew');
    await billing.liftCancellation(ending.id);
    const after = await reconcile({ plans, billing }, user.id, now);
    // Ended between the look and the call: nothing brings it back.
    if (!after || !governing(after.subscriptions)) throw new Refusal('nothing-to-renew');
    return planView(after.row);
  });

const settings = environment('writePlans', 'stripe');
export const handler = renewSubscription({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  accounts,
});
