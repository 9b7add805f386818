import type Stripe from 'stripe';
import { customerIdOf } from '../../../../functions/domain/plan.ts';
import { product } from '../../../../schemas/product/product.ts';
import { idOf } from '../../../../functions/adapters/stripe/id-of.ts';
import { markOf } from '../../../../functions/domain/mark.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { Answer } from '../answer.ts';
import { findAccount } from '../find-account.ts';
import { money, momentOfUnix, nameOf } from '../in-words.ts';
import type { Tools } from '../tools.ts';

/**
 * Refunds a charge in full: the last charge, or the named charge if the user paid it. The plan still follows
 * the subscription.
 */
export async function refund(
  tools: Tools,
  { user, charge: named }: { user: string; charge: string | undefined },
): Promise<Answer> {
  const { accounts, planTable, billing, stripe, now } = tools;
  const account = await findAccount(accounts, user);
  const row = await planTable.read(account.sub);
  const customer = row && customerIdOf(row);
  if (!row || customer === undefined) return { lines: [`${nameOf(account)} has no customer at Stripe.`] };
  const client = await stripe();
  const payments = await ownPayments(tools, client, customer, row);
  const charge = await paidCharge(client, customer, { named, payments });
  if (!charge) {
    if (named === undefined) return { lines: [`${nameOf(account)} has paid nothing.`] };
    throw new Error(`${named} is no charge that ${nameOf(account)} has paid.`);
  }
  const what = `${money(charge.amount, charge.currency)} of ${momentOfUnix(charge.created)} (${charge.id})`;
  const which = named === undefined ? 'last charge' : 'charge';
  const refusal = whyNotRefunded(charge);
  if (refusal !== undefined) return { lines: [`The ${which} of ${nameOf(account)}, ${what}, ${refusal}`] };
  const amount = money(charge.amount - charge.amount_refunded, charge.currency);
  const change = {
    action: 'refund',
    id: account.sub,
    detail: `${amount} of ${charge.id}`,
    command: `refund ${account.sub} --charge ${charge.id}`,
    run: async () => {
      const { id, status } = await client.refunds.create(
        {
          charge: charge.id,
          reason: 'requested_by_customer',
          metadata: markOf(billing.stage, account.sub),
        },
        { idempotencyKey: idempotencyKeyOf(charge, now) },
      );
      return [`Stripe has accepted the refund ${id}: ${status}. The plan is unchanged: why explains it.`];
    },
  };
  return {
    lines: [
      `${nameOf(account)} would get back ${amount} of the ${which}, ${what}.`,
      'The subscription continues, and Plus with it, until the user cancels or it is cancelled at Stripe.',
    ],
    change,
  };
}

/**
 * The payments for invoices of our subscriptions. A customer may also pay for another product of the account.
 */
async function ownPayments(
  { billing }: Tools,
  client: Stripe,
  customer: string,
  row: UserPlan,
): Promise<ReadonlySet<string>> {
  const ours = new Set((await billing.subscriptionsOf(customer, row)).map(({ id }) => id));
  const payments = new Set<string>();
  for await (const invoice of client.invoices.list({ customer, limit: 100, expand: ['data.payments'] })) {
    const subscription = invoice.parent?.subscription_details?.subscription;
    if (!subscription || !ours.has(idOf(subscription))) continue;
    for (const { payment } of invoice.payments?.data ?? []) {
      if (payment.payment_intent) payments.add(idOf(payment.payment_intent));
    }
  }
  return payments;
}

/** The last paid charge for Plus, or the named charge. Undefined if the customer has paid no such charge. */
async function paidCharge(
  client: Stripe,
  customer: string,
  { named, payments }: { named: string | undefined; payments: ReadonlySet<string> },
): Promise<Stripe.Charge | undefined> {
  // Charges come newest first, including failed ones.
  for await (const charge of client.charges.list({ customer, limit: 100 })) {
    const isOurs = charge.payment_intent !== null && payments.has(idOf(charge.payment_intent));
    if (isOurs && charge.paid && (named === undefined || charge.id === named)) return charge;
  }
  return undefined;
}

/** The reason why a charge can't be refunded, as the end of a sentence. */
export function whyNotRefunded(
  charge: Pick<Stripe.Charge, 'amount' | 'amount_refunded' | 'disputed'>,
): string | undefined {
  if (charge.disputed) return 'is disputed: answer the dispute in Stripe, or accept it there.';
  if (charge.amount_refunded >= charge.amount) return 'is refunded already.';
  return undefined;
}

/**
 * Two people at once refund once: Stripe repeats the answer for a key for a day, even a refusal. The next
 * hour has another key, and so does a charge with a higher refunded amount. A refund that fails later at the
 * bank lowers `amount_refunded` again: within the hour, the key is then the earlier key, and Stripe repeats
 * that the refund succeeded. Stripe never refunds more than was paid.
 */
export const idempotencyKeyOf = (
  { id, amount_refunded: refunded }: Pick<Stripe.Charge, 'id' | 'amount_refunded'>,
  now: Date,
): string => `${product.slug}-support-refund-${id}-${refunded}-${now.toISOString().slice(0, 13)}`;
