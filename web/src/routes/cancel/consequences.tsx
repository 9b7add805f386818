import type { BillingOverview } from '../../../../schemas/billing.ts';
import { plans } from '../../../../schemas/product.ts';
import { formatAmount } from '../../plan/format-amount.ts';
import { PlanDay } from '../../components/plan-day.tsx';
import type { Cancellable } from '../../plan/plan-status.ts';

export type KnownSubscription = NonNullable<BillingOverview['subscription']>;

interface ConsequencesProps {
  of: Exclude<Cancellable['kind'], 'nothing'>;
  /** Undefined if it couldn't be read from Stripe. */
  subscription: KnownSubscription | undefined;
}

const afterwards = `on ${plans.free.name}, with ${plans.free.features[0]}`;

/** What a cancellation does, said before it. */
export function Consequences({ of: kind, subscription }: ConsequencesProps) {
  const { name } = plans.plus;
  if (kind === 'complimentary') {
    return (
      <>
        You keep {name} until the end of this month. After that your account is {afterwards}.
      </>
    );
  }
  if (!subscription) return <UnknownConsequences />;
  const charge = chargeOf(subscription);
  if (subscription.paymentDue) {
    return (
      <>
        A payment is due, so {name} ends at once. The payment is not taken, and after that you aren't charged{' '}
        {charge} any more. Your account is then {afterwards}.
      </>
    );
  }
  return (
    <>
      You keep {name} until <PlanDay moment={subscription.currentPeriodEnd} />. After that you aren't charged{' '}
      {charge} any more, and your account is {afterwards}.
    </>
  );
}

/**
 * Without an answer of Stripe. A renewal's payment is due for about an hour
 * (https://docs.stripe.com/billing/subscriptions/webhooks).
 */
function UnknownConsequences() {
  const { name, interval } = plans.plus;
  return (
    <>
      You keep {name} until the time you have paid for is over. After that your account is {afterwards}, and
      you are not charged again. If a payment is due, {name} ends at once, and the payment is not taken. A new{' '}
      {interval} is charged about an hour after it begins, and until then its payment is due.
    </>
  );
}

/** `$5.00 a month`, or nothing for a price without a fixed amount. */
function chargeOf({ amount, currency }: KnownSubscription): string {
  return amount === null ? '' : `${formatAmount(amount, currency)} a ${plans.plus.interval}`;
}
