import { api } from '../../schemas/api.ts';
import { stripeBilling } from '../adapters/stripe/billing.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { environment } from '../runtime/environment.ts';
import { billingCustomer, type PlanKeeping, reconcile } from '../plans/reconcile.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

export const readSessionStatus = ({ plans, billing }: PlanKeeping) =>
  route(api['session-status'], async ({ session_id }, { user, now }) => {
    const [row, checkout] = await Promise.all([plans.read(user.id), billing.checkout(session_id)]);
    // Somebody else's session answers as one that doesn't exist.
    if (!row || !checkout?.customerId || checkout.customerId !== billingCustomer(row)) {
      throw new Refusal('not-found');
    }
    let { subscription } = checkout;
    if (checkout.status === 'complete') {
      try {
        const reconciled = await reconcile({ plans, billing }, user.id, now);
        // A second payment is given back there, and its subscription isn't what it was a moment ago.
        subscription = reconciled?.subscriptions.find(({ id }) => id === subscription?.id) ?? subscription;
      } catch (error) {
        // The payment stands, and the webhook and the catch-up come to the same row.
        console.error({ message: 'A paid plan could not be written yet.', error: String(error) });
      }
    }
    return {
      status: checkout.status,
      customer_email: checkout.email ?? null,
      subscription_id: subscription?.id ?? null,
      customer_id: checkout.customerId,
      subscription_status: subscription?.status ?? null,
      subscription_current_period_end: subscription?.currentPeriodEnd ?? null,
      refunded: subscription?.surplus === 'refunded',
    };
  });

const settings = environment('writePlans', 'stripe');
export const handler = readSessionStatus({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
});
