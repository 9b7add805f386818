import { endpoint } from '../../schemas/routes/billing.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { plansTable, type PlansTable } from '../adapters/dynamodb/plans-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { activeSubscription, isComplimentary } from '../domain/decide-plan.ts';
import { lostAt } from '../domain/lost-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { isPaymentDue, isResumable, type Subscription } from '../domain/subscription.ts';
import { isoFromUnix } from '../domain/unix-time.ts';
import { type UnpaidPurchase, unpaidPurchase } from '../domain/unpaid-purchase.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  plans: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'subscriptionsOf' | 'invoicesOf'>;
  sessionUser: Pick<SessionUser, 'profile'>;
}

/**
 * The caller's subscription and invoices, straight from Stripe. For display only: no plan is decided from
 * them.
 */
export const readBilling = ({ plans, billing, sessionUser }: Dependencies) =>
  route(endpoint, { sessionUser, plans }, async (_, { row, now }) => {
    const customerId = row && customerIdOf(row);
    if (!customerId) return { subscription: null, purchase: null, lostAt: null, invoices: [] };
    const [subscriptions, invoices] = await Promise.all([
      billing.subscriptionsOf(customerId, row),
      billing.invoicesOf(customerId),
    ]);
    // A complimentary plan doesn't depend on an earlier subscription.
    const resumable = isComplimentary(row) ? undefined : subscriptions.find(isResumable);
    const subscription = activeSubscription(subscriptions, row) ?? resumable;
    return {
      subscription: subscription ? overviewOf(subscription) : null,
      purchase: purchaseOf(unpaidPurchase(row, subscriptions, now)),
      lostAt: isoOrNull(lostAt(row, subscriptions)),
      invoices,
    };
  });

const overviewOf = (subscription: Subscription) => ({
  status: subscription.status,
  currentPeriodEnd: isoFromUnix(subscription.currentPeriodEnd),
  endsAt: isoOrNull(subscription.endsAt),
  amount: subscription.amount ?? null,
  currency: subscription.currency,
  nextTry: isoOrNull(subscription.nextTryAt),
  paymentDue: isPaymentDue(subscription),
});

const purchaseOf = (purchase: UnpaidPurchase | undefined) =>
  purchase ? { payment: purchase.payment, boughtAt: isoFromUnix(purchase.boughtAt) } : null;

const isoOrNull = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : isoFromUnix(seconds);

export const handler = withEnvironment(endpoint, (environment) =>
  readBilling({
    plans: plansTable(environment.PLANS_TABLE),
    billing: stripeBilling(environment),
    sessionUser: cognitoSessionUser(),
  }),
);
