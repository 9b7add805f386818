import type Stripe from 'stripe';
import { customerIdOf } from '../../../functions/domain/plan.ts';
import { product } from '../../../schemas/product.ts';
import type { Answer } from '../answer.ts';
import { findAccount } from '../find-account.ts';
import { money, momentOfUnix, nameOf } from '../in-words.ts';
import type { Tools } from '../tools.ts';

/**
 * Gives a charge back, in full: the last one, or the one that is named, which has to be the user's. The plan
 * stays what the subscription gives.
 */
export async function refund(
  tools: Tools,
  { user, charge: named }: { user: string; charge: string | undefined },
): Promise<Answer> {
  const { accounts, plans, stripe, now } = tools;
  const account = await findAccount(accounts, user);
  const row = await plans.read(account.sub);
  const customer = row && customerIdOf(row);
  if (customer === undefined) return { lines: [`${nameOf(account)} has no customer at Stripe.`] };
  const client = await stripe();
  const charge = await paidCharge(client, customer, named);
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
        { charge: charge.id, reason: 'requested_by_customer' },
        { idempotencyKey: idempotencyKeyOf(charge, now) },
      );
      return [`Stripe has taken the refund ${id}: ${status}. The plan stays as it is: why explains it.`];
    },
  };
  return {
    lines: [
      `${nameOf(account)} would get back ${amount} of the ${which}, ${what}.`,
      'A subscription goes on, and Plus with it, until the user cancels or it is cancelled at Stripe.',
    ],
    change,
  };
}

/** The customer's last paid charge, or the named one; undefined if the customer has paid no such charge. */
async function paidCharge(
  client: Stripe,
  customer: string,
  named: string | undefined,
): Promise<Stripe.Charge | undefined> {
  // Newest first. Charges that failed are among them.
  for await (const charge of client.charges.list({ customer, limit: 100 })) {
    if (charge.paid && (named === undefined || charge.id === named)) return charge;
  }
  return undefined;
}

/** Why a charge can't be refunded, as the end of a sentence. */
export function whyNotRefunded(
  charge: Pick<Stripe.Charge, 'amount' | 'amount_refunded' | 'disputed'>,
): string | undefined {
  if (charge.disputed) return 'is disputed: answer the dispute in Stripe, or accept it there.';
  if (charge.amount_refunded >= charge.amount) return 'is refunded already.';
  return undefined;
}

/**
 * Two people at once refund once: Stripe repeats the answer under a key for a day, refusals too. The next
 * hour has another key, and so has a charge of which more was refunded. A refund that fails later, at the
 * bank, takes its amount back out of `amount_refunded`: within the same hour the key is then the earlier one,
 * and Stripe repeats that it succeeded. Stripe never refunds more than was paid.
 */
export const idempotencyKeyOf = (
  { id, amount_refunded: refunded }: Pick<Stripe.Charge, 'id' | 'amount_refunded'>,
  now: Date,
): string => `${product.slug}-support-refund-${id}-${refunded}-${now.toISOString().slice(0, 13)}`;
