import type { BillingOverview } from '../../../schemas/billing.ts';
import { plans } from '../../../schemas/product.ts';
import { formatAmount } from '../plan/format-amount.ts';
import { PlanDay } from './plan-day.tsx';

interface NextChargeProps {
  /** Null for a complimentary plan. Undefined if it couldn't be read from Stripe. */
  of: BillingOverview['subscription'] | undefined;
}

/** When Plus is charged next, and what; for a plan that renews. */
export function NextCharge({ of: subscription }: NextChargeProps) {
  const { interval } = plans.plus;
  if (subscription === null) return 'It is complimentary: nothing is charged.';
  if (!subscription) return "We couldn't read when it is charged next.";
  const { status, amount, currency, currentPeriodEnd, nextTry, paymentDue } = subscription;
  const sum = amount === null ? `the price of ${plans.plus.name}` : formatAmount(amount, currency);
  if (status === 'past_due') {
    return (
      <>
        <strong>Your last payment of {sum} didn't go through.</strong>{' '}
        {nextTry !== null && (
          <>
            Stripe tries again on <PlanDay moment={nextTry} />.
          </>
        )}
      </>
    );
  }
  if (paymentDue) return `The payment of ${sum} for the new ${interval} is taken within the hour.`;
  return (
    <>
      Next charge: {sum} on <PlanDay moment={currentPeriodEnd} />.
    </>
  );
}
