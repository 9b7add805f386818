import { intervals } from '../../schemas/product/offers.ts';
import { endpoint } from '../../schemas/routes/billing.ts';
import type { PaymentMethod } from '../../schemas/shapes/billing.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { plansTable, type PlansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { activeSubscription, isComplimentary } from '../domain/decide-plan.ts';
import { endedAt, lostAt } from '../domain/lost-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { isPaymentDue, isResumable, type Subscription } from '../domain/subscription.ts';
import { isoFromUnix } from '../domain/unix-time.ts';
import { type UnpaidPurchase, unpaidPurchase } from '../domain/unpaid-purchase.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  planTable: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'subscriptionsOf' | 'paymentMethodOf' | 'invoicesOf'>;
  sessionUser: Pick<SessionUser, 'profile'>;
}

/**
 * The caller's subscription and invoices, straight from Stripe. For display only: no plan is decided from
 * them.
 */
export const readBilling = ({ planTable, billing, sessionUser }: Dependencies) =>
  route(endpoint, { sessionUser, planTable }, async (_, { row, now }) => {
    const customerId = row && customerIdOf(row);
    if (!customerId) return { subscription: null, purchase: null, endedAt: null, lostAt: null, invoices: [] };
    const readSubscriptions = async () => {
      const subscriptions = await billing.subscriptionsOf(customerId, row);
      // A complimentary plan doesn't depend on an earlier subscription.
      const resumable = isComplimentary(row) ? undefined : subscriptions.find(isResumable);
      const subscription = activeSubscription(subscriptions, row) ?? resumable;
      const overview = subscription
        ? overviewOf(subscription, await billing.paymentMethodOf(subscription))
        : null;
      return { subscriptions, overview };
    };
    const [{ subscriptions, overview }, invoices] = await Promise.all([
      readSubscriptions(),
      billing.invoicesOf(customerId),
    ]);
    return {
      subscription: overview,
      purchase: purchaseOf(unpaidPurchase(row, subscriptions, now)),
      endedAt: isoOrNull(endedAt(row, subscriptions)),
      lostAt: isoOrNull(lostAt(row, subscriptions)),
      invoices,
    };
  });

const overviewOf = (subscription: Subscription, paymentMethod: PaymentMethod | undefined) => ({
  plan: subscription.plan,
  interval: intervals.find((interval) => interval === subscription.interval) ?? null,
  status: subscription.status,
  currentPeriodEnd: isoFromUnix(subscription.currentPeriodEnd),
  endsAt: isoOrNull(subscription.endsAt),
  amount: subscription.amount ?? null,
  currency: subscription.currency,
  nextTry: isoOrNull(subscription.nextTryAt),
  paymentDue: isPaymentDue(subscription),
  paused: subscription.collectionPaused,
  paymentMethod: paymentMethod ?? null,
});

const purchaseOf = (purchase: UnpaidPurchase | undefined) =>
  purchase
    ? { plan: purchase.plan, payment: purchase.payment, boughtAt: isoFromUnix(purchase.boughtAt) }
    : null;

const isoOrNull = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : isoFromUnix(seconds);

export const handler = withEnvironment(endpoint, (environment) =>
  readBilling({
    planTable: plansTable(environment.USER_PLANS_TABLE),
    billing: stripeBilling(environment),
    sessionUser: cognitoSessionUser(),
  }),
);
