import { routeLabel } from '../../schemas/endpoint.ts';
import { endpoint } from '../../schemas/routes/session-status.ts';
import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { isPlanOf } from '../domain/decide-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { reconcile, type ReconcileDependencies } from '../plans/reconcile.ts';
import { log } from '../runtime/log.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const trigger = routeLabel(endpoint);

export const readSessionStatus = (dependencies: ReconcileDependencies) => {
  const { plans, billing } = dependencies;
  return route(endpoint, async ({ session_id }, { user, now }) => {
    const [row, checkout] = await Promise.all([plans.read(user.id), billing.checkout(session_id)]);
    // Another user's session is refused like an unknown session.
    if (!row || !checkout?.customerId || checkout.customerId !== customerIdOf(row)) {
      throw new Refusal('not-found');
    }
    let { subscription } = checkout;
    // A plan that follows this subscription already, usually by the webhook, has nothing to be decided.
    if (checkout.status === 'complete' && !(subscription && isPlanOf(row, subscription))) {
      try {
        const reconciled = await reconcile(dependencies, user.id, now, { trigger, known: { row } });
        // Reconciling refunds a duplicate, which changes its subscription.
        subscription = reconciled?.subscriptions.find(({ id }) => id === subscription?.id) ?? subscription;
      } catch (error) {
        // The payment is safe: the webhook and the catch-up write the same row.
        log.error('plan-not-decided', { user: user.id, trigger }, error);
      }
    }
    return {
      status: checkout.status,
      customer_email: checkout.email ?? null,
      subscription_id: subscription?.id ?? null,
      customer_id: checkout.customerId,
      subscription_status: subscription?.status ?? null,
      subscription_current_period_end: subscription?.currentPeriodEnd ?? null,
      refunded: subscription?.duplicate === 'refunded',
    };
  });
};

export const handler = withEnvironment(endpoint.needs, (environment) =>
  readSessionStatus({
    plans: plansTable(environment.PLANS_TABLE),
    billing: stripeBilling(environment),
    tasks: billingTasks(environment.STRIPE_WORK_TABLE),
  }),
);
