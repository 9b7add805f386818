import { api } from '../../schemas/api.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { stripeBilling } from '../adapters/stripe/billing.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { hasExpired, planView } from '../domain/plan.ts';
import { environment } from '../runtime/environment.ts';
import { openRow } from '../plans/open-plan.ts';
import { type PlanKeeping, reconcile } from '../plans/reconcile.ts';
import { route } from '../runtime/route.ts';

export const readPlan = ({ plans, billing, accounts }: PlanKeeping & { accounts: Accounts }) =>
  route(api.plan, async (_, { user, now }) => {
    let row = (await plans.read(user.id)) ?? (await openRow({ plans, accounts }, user, now));
    if (hasExpired(row, now)) {
      try {
        row = (await reconcile({ plans, billing }, user.id, now))?.row ?? row;
      } catch (error) {
        // Without Stripe's answer nobody loses a plan: a missed renewal looks the same from here.
        console.error({ message: 'An expired plan could not be reconciled.', error: String(error) });
      }
    }
    if (!row.last_sign_in_at || Date.parse(row.last_sign_in_at) < user.signedInAt.getTime()) {
      await plans.recordSignIn(user.id, user.signedInAt);
      row = { ...row, last_sign_in_at: user.signedInAt.toISOString() };
    }
    return planView(row);
  });

const settings = environment('writePlans', 'stripe');
export const handler = readPlan({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  accounts,
});
