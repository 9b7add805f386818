import type Stripe from 'stripe';
import { invalid, parametersExclusive } from './errors.ts';
import { flag, integer, nullable, type Field, type Input } from './fields.ts';
import type { Ledger } from './ledger.ts';
import { periodEnd } from './subscriptions.ts';

/** A timestamp, or a keyword that Stripe resolves from the items' current periods. */
const cancelAt: Field<number | 'min_period_end'> = (value, name) =>
  value === 'min_period_end' ? value : integer(value, name);

export const cancellationFields = { cancel_at: nullable(cancelAt), cancel_at_period_end: flag } as const;

type Cancellation = Pick<Stripe.Subscription, 'cancel_at' | 'cancel_at_period_end' | 'canceled_at'> & {
  cancellation_details?: { reason: 'cancellation_requested' | null };
};

/** When the subscription ends after this. The flag also sets the date; a date leaves the flag false. */
export function cancellationAfter(
  ledger: Ledger,
  before: Stripe.Subscription,
  input: Input<typeof cancellationFields>,
): Cancellation {
  const unchanged: Cancellation = {
    cancel_at: before.cancel_at,
    cancel_at_period_end: before.cancel_at_period_end,
    canceled_at: before.canceled_at,
  };
  const cleared: Cancellation = {
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { reason: null },
  };
  const requested = (cancel_at: number, cancel_at_period_end: boolean): Cancellation => ({
    cancel_at,
    cancel_at_period_end,
    canceled_at: ledger.now(),
    cancellation_details: { reason: 'cancellation_requested' },
  });

  if (input.cancel_at !== undefined && input.cancel_at_period_end !== undefined) {
    throw parametersExclusive('cancel_at', 'cancel_at_period_end');
  }
  if (input.cancel_at_period_end === true) {
    return before.cancel_at_period_end ? unchanged : requested(periodEnd(before), true);
  }
  if (input.cancel_at_period_end === false) return before.cancel_at_period_end ? cleared : unchanged;
  if (input.cancel_at === undefined) return unchanged;
  if (input.cancel_at === null) return cleared;
  if (input.cancel_at === 'min_period_end') return requested(periodEnd(before), false);
  if (input.cancel_at <= ledger.now()) {
    throw invalid('`cancel_at` must be a timestamp in the future.', 'cancel_at');
  }
  return requested(input.cancel_at, false);
}
