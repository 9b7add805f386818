import type { PaymentMethod } from '../../../../../schemas/shapes/billing.ts';
import type { Standing } from '../../../../../schemas/shapes/standing.ts';
import type { Billing } from '../../../plan/shown-standing.ts';

type Card = NonNullable<PaymentMethod['card']>;

const brands: ReadonlyMap<string, string> = new Map([
  ['visa', 'Visa'],
  ['mastercard', 'Mastercard'],
  ['amex', 'American Express'],
  ['discover', 'Discover'],
  ['diners', 'Diners Club'],
  ['jcb', 'JCB'],
  ['unionpay', 'UnionPay'],
]);

const wallets: ReadonlyMap<string, string> = new Map([
  ['apple_pay', 'Apple Pay'],
  ['google_pay', 'Google Pay'],
  ['link', 'Link'],
]);

/** The means of payment that is charged next: `Visa •••• 4242, expires 12/2040`. Empty if it is unknown. */
export function cardOnFileOf(billing: Billing): string {
  if (billing.kind === 'loading') return 'Loading your card...';
  if (billing.kind !== 'known' || !billing.value.paymentMethod) return '';
  const { standing, paymentMethod } = billing.value;
  const { type, card } = paymentMethod;
  if (card === null) return `Paid with ${wallets.get(type) ?? 'another payment method'}`;
  const name = `${brands.get(card.brand) ?? 'Card'} •••• ${card.last4}`;
  // A wallet renews the card by itself.
  if (card.wallet !== null) return `${wallets.get(card.wallet) ?? 'Wallet'}, ${name}`;
  const expiry = `${String(card.expMonth).padStart(2, '0')}/${card.expYear}`;
  return expiresTooSoon(card, standing)
    ? `${name} expires ${expiry}, before your next charge`
    : `${name}, expires ${expiry}`;
}

/** A card is good until the end of its last month. */
function expiresTooSoon({ expMonth, expYear }: Card, standing: Standing): boolean {
  const charged = nextChargeOf(standing);
  return charged !== null && Date.parse(charged) >= Date.UTC(expYear, expMonth, 1);
}

/** The time of the next charge; null if there is none, or if it is unknown. */
function nextChargeOf(standing: Standing): string | null {
  if (standing.kind === 'failed' && standing.nextTry !== null) return standing.nextTry;
  if (standing.kind === 'paused') return standing.on;
  return ('charges' in standing && standing.charges[0]?.on) || null;
}
