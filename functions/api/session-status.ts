import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { endpoint } from '../../schemas/routes/session-status.ts';
import { isPlanOf } from '../domain/decide-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { firstPaymentOf } from '../domain/subscription.ts';
import { planRouteAdapters } from '../plans/plan-adapters.ts';
import { reconcile } from '../plans/reconcile.ts';
import { attempt } from '../runtime/attempt.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

const trigger = routeLabel(endpoint);

export const handler = route(
  endpoint,
  planRouteAdapters,
  async ({ session_id }, { user, row, now }, dependencies) => {
    const checkout = row && (await dependencies.billing.checkout(session_id));
    // Another user's session is refused like an unknown session.
    if (!row || !checkout?.customerId || checkout.customerId !== customerIdOf(row)) {
      throw refusal(endpoint, 'not-found');
    }
    let { subscription } = checkout;
    // A plan that is already based on this subscription, usually by the webhook, needs no decision.
    if (checkout.status === 'complete' && !(subscription && isPlanOf(row, subscription))) {
      // After a failure, the payment is safe: the webhook and the catch-up write the same row.
      const reconciled = await attempt('plan-not-decided', { user: user.id, trigger }, () =>
        reconcile(dependencies, user.id, now, { trigger, known: { row } }),
      );
      // Reconciling refunds a duplicate, which changes its subscription.
      subscription = reconciled?.subscriptions.find(({ id }) => id === subscription?.id) ?? subscription;
    }
    return {
      status: checkout.status,
      customer_email: checkout.email ?? null,
      subscription_id: subscription?.id ?? null,
      customer_id: checkout.customerId,
      subscription_status: subscription?.state.kind ?? null,
      plan: subscription?.plan,
      subscription_current_period_end: subscription?.currentPeriodEnd ?? null,
      price: checkout.price,
      receipt_url: checkout.receiptUrl,
      payment: subscription ? firstPaymentOf(subscription.state) : null,
      refunded: subscription?.ended === 'duplicate' && subscription.refund === 'done',
    };
  },
);
