import type Stripe from 'stripe';
import { updateCustomer } from './customers.ts';
import { missingReference } from './errors.ts';
import { between, type Input, metadata, oneOf, text, updatedMetadata } from './fields.ts';
import { idOf, newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { afterMonths } from './periods.ts';

export const couponFields = {
  amount_off: between(1, 99_999_999),
  currency: text,
  duration: oneOf('forever', 'once', 'repeating'),
  duration_in_months: between(1, 999),
  id: text,
  metadata,
  name: text,
  percent_off: between(1, 100),
} as const;

export function createCoupon(ledger: Ledger, input: Input<typeof couponFields>): Stripe.Coupon {
  const coupon = {
    id: input.id ?? newId('coupon', 8).slice('coupon_'.length),
    object: 'coupon',
    amount_off: input.amount_off ?? null,
    created: ledger.now(),
    currency: input.currency ?? null,
    duration: input.duration ?? 'once',
    duration_in_months: input.duration_in_months ?? null,
    livemode: false,
    max_redemptions: null,
    metadata: updatedMetadata({}, input.metadata),
    name: input.name ?? null,
    percent_off: input.percent_off ?? null,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  } satisfies Stripe.Coupon;
  ledger.coupons.put(coupon.id, coupon);
  ledger.emit('coupon.created', coupon);
  return coupon;
}

type Holder = Pick<Stripe.Discount, 'customer' | 'subscription' | 'subscription_item'>;

/** The discount of a coupon, which begins now. `param`: the parameter that names the coupon. */
export function redeem(ledger: Ledger, id: string, holder: Partial<Holder>, param: string): Stripe.Discount {
  const coupon = ledger.coupons.get(id);
  if (!coupon) throw missingReference('coupon', id, param);
  const now = ledger.now();
  const discount = {
    id: newId('di'),
    object: 'discount',
    checkout_session: null,
    customer: holder.customer ?? null,
    customer_account: null,
    end: coupon.duration === 'repeating' ? afterMonths(now, coupon.duration_in_months ?? 1) : null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: now,
    subscription: holder.subscription ?? null,
    subscription_item: holder.subscription_item ?? null,
  } satisfies Stripe.Discount;
  ledger.discounts.put(discount.id, discount);
  ledger.coupons.put(id, { ...coupon, times_redeemed: coupon.times_redeemed + 1 });
  return discount;
}

type References = Stripe.Subscription['discounts'];

const couponOf = (ledger: Ledger, discount: Stripe.Discount): Stripe.Coupon | undefined =>
  ledger.coupons.get(idOf(discount.source.coupon));

/** The discounts of an item, or of a subscription, that apply at a time in Unix seconds. */
export const activeDiscounts = (ledger: Ledger, references: References, at: number): Stripe.Discount[] =>
  references
    .map((reference) => ledger.discounts.get(idOf(reference)))
    .filter((discount) => discount !== undefined)
    .filter(({ end }) => end === null || end > at);

/** "If the subscription has a discount, the customer's discount is not applied": the last word is its own. */
export function sharedDiscounts(
  ledger: Ledger,
  subscription: Stripe.Subscription,
  customer: Stripe.Customer | undefined,
  at: number,
): Stripe.Discount[] {
  const own = activeDiscounts(ledger, subscription.discounts, at);
  return own.length > 0 ? own : activeDiscounts(ledger, customer?.discount ? [customer.discount] : [], at);
}

/**
 * The lines with their discounts: those of the item, then those of the whole invoice, each on what the ones
 * before have left. An amount off the whole invoice is taken from the lines in their order.
 */
export function discounted(
  ledger: Ledger,
  lines: { line: Stripe.InvoiceLineItem; own: Stripe.Discount[] }[],
  shared: Stripe.Discount[],
): Stripe.InvoiceLineItem[] {
  const spent = new Map<string, number>();
  return lines.map(({ line, own }) => {
    let left = line.amount;
    const amounts = (line.discountable ? [...own, ...shared] : []).map((discount) => {
      const coupon = couponOf(ledger, discount);
      const before = spent.get(discount.id) ?? 0;
      const amount =
        coupon?.percent_off != null
          ? Math.round((left * coupon.percent_off) / 100)
          : Math.min(left, (coupon?.amount_off ?? 0) - before);
      spent.set(discount.id, before + amount);
      left -= amount;
      return { amount, discount: discount.id };
    });
    return { ...line, discount_amounts: amounts, discounts: own.map(({ id }) => id) };
  });
}

/** The sums of each discount over all lines. */
export function totalDiscounts(lines: Stripe.InvoiceLineItem[]): { amount: number; discount: string }[] {
  const totals = new Map<string, number>();
  for (const { discount, amount } of lines.flatMap((line) => line.discount_amounts ?? [])) {
    totals.set(idOf(discount), (totals.get(idOf(discount)) ?? 0) + amount);
  }
  return [...totals].map(([discount, amount]) => ({ amount, discount }));
}

/** The subscription after an invoice: without the discounts for one invoice, and those that have ended. */
export function afterInvoice(ledger: Ledger, subscription: Stripe.Subscription): Stripe.Subscription {
  const lasting = (references: References): string[] =>
    activeDiscounts(ledger, references, ledger.now())
      .filter((discount) => couponOf(ledger, discount)?.duration !== 'once')
      .map(({ id }) => id);
  const customer = ledger.customers.get(idOf(subscription.customer));
  const used = customer && !customer.deleted ? customer.discount : undefined;
  if (used && lasting([used]).length === 0 && lasting(subscription.discounts).length === 0) {
    updateCustomer(ledger, idOf(subscription.customer), { discount: null });
  }
  return {
    ...subscription,
    discounts: lasting(subscription.discounts),
    items: {
      ...subscription.items,
      data: subscription.items.data.map((item) => ({ ...item, discounts: lasting(item.discounts) })),
    },
  };
}
