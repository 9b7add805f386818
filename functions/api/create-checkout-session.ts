import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { offerNamed } from '../../schemas/product/offers.ts';
import { endpoint } from '../../schemas/routes/create-checkout-session.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { notingAdapters } from '../accounts/note-session.ts';
import type { Checkout } from '../adapters/stripe/checkout-sessions.ts';
import { isClosing } from '../domain/closing.ts';
import { activeSubscription, isComplimentary } from '../domain/decide-plan.ts';
import { isPaymentProcessing } from '../domain/subscription.ts';
import {
  type CheckoutDependencies,
  expireUnused,
  openCheckout,
  reusableCheckout,
} from '../plans/open-checkout.ts';
import { openPlan } from '../plans/open-plan.ts';
import { reconcile } from '../plans/reconcile.ts';
import { attempt } from '../runtime/attempt.ts';
import { metric } from '../runtime/metric.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { siteUrl } from '../runtime/with-environment.ts';

const trigger = routeLabel(endpoint);

export const handler = route(
  endpoint,
  {
    ...notingAdapters,
    ...planAdapters,
    siteUrl,
    automaticTax: ({ TAX }: { TAX: string }) => TAX === 'automatic',
  },
  async (order, { user, account: { address: email }, row: existingRow, now }, dependencies) => {
    const offer = offerNamed(order.planName, order.interval);
    if (!offer) throw refusal(endpoint, 'unknown-plan');
    if (order.userId !== user.id) throw refusal(endpoint, 'not-yours');
    if (email === undefined || order.userEmail.toLowerCase() !== email) throw refusal(endpoint, 'not-yours');

    // The session is read before the subscriptions. A session paid in between shows up as a subscription,
    // and a session found closed can't be paid any more. The other order would miss both.
    const before = existingRow ?? (await openPlan(dependencies, user, now));
    const existing = await reusableCheckout(dependencies, before, offer, now);
    const row = await requireBuyer(dependencies, before, now);
    if (existing) return { clientSecret: clientSecretOf(existing) };

    const opened = await openCheckout(dependencies, { user, email, row, offer }, now);
    if (await dependencies.planTable.adoptCheckout(user.id, opened.id, before.checkout_session_id, now)) {
      metric('CheckoutsStarted');
      return { clientSecret: clientSecretOf(opened) };
    }
    // Another tab was faster. Only its session may be paid.
    await expireUnused(dependencies, user.id, opened.id);
    const after = await dependencies.planTable.read(user.id);
    if (!after) throw refusal(endpoint, 'account-closing');
    const winner = await reusableCheckout(dependencies, after, offer, now);
    await requireBuyer(dependencies, after, now);
    if (winner) return { clientSecret: clientSecretOf(winner) };
    // The other tab's session has ended already.
    throw refusal(endpoint, 'busy');
  },
);

/**
 * Refuses a user who has a paid plan, or whose payment is being processed. Cancels subscriptions whose first
 * payment is still awaited. Resolves with the current row.
 */
async function requireBuyer(dependencies: CheckoutDependencies, known: UserPlan, now: Date) {
  const options = { trigger, known: { row: known }, onlyChanges: true };
  const reconciled = await reconcile(dependencies, known.id, now, options);
  if (!reconciled || isClosing(reconciled.row, now)) throw refusal(endpoint, 'account-closing');
  const { row, subscriptions } = reconciled;
  const subscription = activeSubscription(subscriptions, row);
  if (subscription) {
    throw refusal(endpoint, subscription.endsAt === undefined ? 'already-subscribed' : 'renew-instead');
  }
  if (isComplimentary(row) && !row.plan_expires_at) throw refusal(endpoint, 'already-subscribed');
  if (subscriptions.some(isPaymentProcessing)) throw refusal(endpoint, 'payment-processing');
  // Paying its invoice would activate it beside the new one.
  for (const incomplete of subscriptions.filter(({ state }) => state.kind === 'incomplete')) {
    const about = { user: row.id, subscription: incomplete.id };
    // A payment after a failure is refunded as a duplicate's.
    await attempt('incomplete-not-cancelled', about, () => dependencies.billing.cancelUnpaid(incomplete));
  }
  return row;
}

function clientSecretOf({ id, clientSecret }: Checkout): string {
  if (!clientSecret) throw new Error(`The open session ${id} has no client secret.`);
  return clientSecret;
}
