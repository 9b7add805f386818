import type Stripe from 'stripe';
import { customerIdOf } from '../../../functions/domain/plan.ts';
import { product } from '../../../schemas/product.ts';
import type { Answer } from '../answer.ts';
import { findAccount } from '../find-account.ts';
import { money, momentOfUnix, nameOf } from '../in-words.ts';
import type { Tools } from '../tools.ts';

/** Gives the last charge back, in full. The plan stays what the subscription gives. */
export async function refund(tools: Tools, { user }: { user: string }): Promise<Answer> {
  const { accounts, plans, stripe, now } = tools;
  const account = await findAccount(accounts, user);
  const row = await plans.read(account.sub);
  const customer = row && customerIdOf(row);
  if (customer === undefined) return { lines: [`${nameOf(account)} has no customer at Stripe.`] };
  const client = await stripe();
  // Newest first. Charges that failed are among them.
  const { data } = await client.charges.list({ customer, limit: 100 });
  const charge = data.find(({ paid }) => paid);
  if (!charge) return { lines: [`${nameOf(account)} has paid nothing.`] };
  const what = `${money(charge.amount, charge.currency)} of ${momentOfUnix(charge.created)} (${charge.id})`;
  const refusal = whyNotRefunded(charge);
  if (refusal !== undefined) return { lines: [`The last charge of ${nameOf(account)}, ${what}, ${refusal}`] };
  const amount = money(charge.amount - charge.amount_refunded, charge.currency);
  const change = {
    action: 'refund',
    id: account.sub,
    detail: `${amount} of ${charge.id}`,
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
      `${nameOf(account)} would get back ${amount} of the last charge, ${what}.`,
      'A subscription goes on, and Plus with it, until the user cancels or it is cancelled at Stripe.',
    ],
    change,
  };
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
 * Two people at once refund once. Another hour, or a refund that failed, makes another key: Stripe repeats
 * the answer under a key for a day, refusals too. It never refunds more than was paid.
 */
export const idempotencyKeyOf = (
  { id, amount_refunded: refunded }: Pick<Stripe.Charge, 'id' | 'amount_refunded'>,
  now: Date,
): string => `${product.slug}-support-refund-${id}-${refunded}-${now.toISOString().slice(0, 13)}`;
