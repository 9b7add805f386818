import type Stripe from 'stripe';
import { idOf, newId } from './ids.ts';
import type { Ledger } from './ledger.ts';

// Seconds until a refund that isn't final changes. Stripe says "some time later":
// https://docs.stripe.com/testing#refunds
const CHANGES_AFTER = 86_400;

export function createRefund(
  ledger: Ledger,
  charge: Stripe.Charge,
  order: { amount: number; metadata: Stripe.Metadata; reason: Stripe.Refund['reason'] },
): Stripe.Refund {
  const behavior = ledger.cards.get(charge.payment_method ?? '');
  const changes = behavior?.kind === 'refunds-later';
  const isPending = changes && behavior.first === 'pending';
  const refund = {
    id: newId('re'),
    object: 'refund',
    amount: order.amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: ledger.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: order.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(isPending && { pending_reason: 'processing' as const }),
    reason: order.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: isPending ? 'pending' : 'succeeded',
    transfer_reversal: null,
  } satisfies Stripe.Refund;
  ledger.refunds.put(refund.id, refund);
  ledger.emit('refund.created', refund);
  changeRefunded(ledger, charge, refund.amount);
  if (changes) ledger.schedule('refund', refund.id, ledger.now() + CHANGES_AFTER);
  return refund;
}

export function settleRefund(ledger: Ledger, before: Stripe.Refund): void {
  const charge = ledger.charges.get(idOf(before.charge));
  const behavior = ledger.cards.get(charge?.payment_method ?? '');
  if (!charge || behavior?.kind !== 'refunds-later') return;
  const { pending_reason: _, ...rest } = before;
  const failed = behavior.second === 'failed';
  const refund: Stripe.Refund = {
    ...rest,
    ...(failed && { failure_balance_transaction: newId('txn'), failure_reason: 'unknown' }),
    status: behavior.second,
  };
  ledger.refunds.put(refund.id, refund);
  if (failed) ledger.emit('refund.failed', refund);
  ledger.emit('refund.updated', refund, before);
  ledger.emit('charge.refund.updated', refund, before);
  if (failed) changeRefunded(ledger, charge, -refund.amount);
}

/** Changes the refunded amount of a charge. A failed refund is subtracted again, which isn't documented. */
function changeRefunded(ledger: Ledger, charge: Stripe.Charge, amount: number): void {
  const refunded = charge.amount_refunded + amount;
  const changed: Stripe.Charge = {
    ...charge,
    amount_refunded: refunded,
    refunded: refunded === charge.amount,
  };
  ledger.charges.put(charge.id, changed);
  ledger.emit(amount > 0 ? 'charge.refunded' : 'charge.updated', changed, charge);
}
