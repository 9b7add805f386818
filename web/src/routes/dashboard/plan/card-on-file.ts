import type { BillingOverview, PaymentMethod } from '../../../../../schemas/shapes/billing.ts';
import type { Billing } from '../../../plan/plan-news.ts';

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
  const subscription = billing.kind === 'known' ? billing.overview.subscription : null;
  if (!subscription?.paymentMethod) return '';
  const { type, card } = subscription.paymentMethod;
  if (card === null) return `Paid with ${wallets.get(type) ?? 'another payment method'}`;
  const name = `${brands.get(card.brand) ?? 'Card'} •••• ${card.last4}`;
  // A wallet renews the card by itself.
  if (card.wallet !== null) return `${wallets.get(card.wallet) ?? 'Wallet'}, ${name}`;
  const expiry = `${String(card.expMonth).padStart(2, '0')}/${card.expYear}`;
  return expiresTooSoon(card, subscription)
    ? `${name} expires ${expiry}, before your next charge`
    : `${name}, expires ${expiry}`;
}

/** A card is good until the end of its last month. */
function expiresTooSoon(
  { expMonth, expYear }: Card,
  { nextTry, currentPeriodEnd, endsAt }: NonNullable<BillingOverview['subscription']>,
): boolean {
  const charged = nextTry ?? (endsAt === null ? currentPeriodEnd : null);
  return charged !== null && Date.parse(charged) >= Date.UTC(expYear, expMonth, 1);
}
