import { api } from '../../schemas/api.ts';
import { type Accounts, accounts } from '../adapters/accounts.ts';
import { stripeBilling } from '../adapters/billing.ts';
import { plansTable } from '../adapters/plans-table.ts';
import { governing } from '../domain/decide-plan.ts';
import { planView } from '../domain/plan.ts';
import { environment } from '../environment.ts';
import { type PlanKeeping, reconcile } from '../reconcile.ts';
import { Refusal } from '../refusal.ts';
import { route } from '../route.ts';
import { stillSignedIn } from '../still-signed-in.ts';

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
