import { setTimeout as pause } from 'node:timers/promises';
import type { UserPlan } from '../../schemas/plan.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import { decidePlan, leftOpen, type Subscription, surplus } from '../domain/decide-plan.ts';

export interface PlanKeeping {
  plans: PlansTable;
  billing: Billing;
}

/** A row as reconciliation left it, and the subscriptions that made it so, as they stand after it. */
export interface Reconciled {
  row: UserPlan;
  subscriptions: readonly Subscription[];
}

// Each lost round means that another decision was written in between. Stripe sends the handful of events of one
// payment at the same moment, and each may lose to each of the others.
const ROUNDS = 10;
// Long enough that those who lost together don't meet again.
const LONGEST_PAUSE = 100;

/**
 * The one way a plan is written. Asks Stripe what the user's customer has now, derives the plan, and writes
 * it under the condition that no other decision was written since the row was read. The row is read
 * before Stripe is asked, and every decision counts the row's version up even where nothing changes, so of
 * two decisions the one with the older answer loses. It can be called any number of times, for any reason.
 *
 * Where somebody pays for a second subscription, whoever wrote the decision gives that payment back and ends it; what an ended
 * one has left to pay is made unpayable. A failure there is thrown, leaves the plan as it was decided, and is taken up by the next look.
 *
 * Undefined where the user has no row: a deleted account is not brought back by a late event.
 */
export async function reconcile(
  { plans, billing }: PlanKeeping,
  userId: string,
  now: Date,
  wish: { endGrant?: boolean } = {},
): Promise<Reconciled | undefined> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const row = await plans.read(userId);
    if (!row) return undefined;
    const { stripe_customer_id: specified } = row;
    // A row from elsewhere may know its customer by the specification's field alone, which Free clears.
    const customerId =
      row.billing_customer_id ??
      (specified && ((await plans.adoptCustomer(userId, specified, undefined, now)) ?? specified));
    const known = customerId ? { ...row, billing_customer_id: customerId } : row;
    const subscriptions = customerId ? await billing.subscriptionsOf(customerId) : [];
    const written = await plans.decide(known, decidePlan(row, subscriptions, now, wish), now);
    if (written) return { row: written, subscriptions: await settled(billing, subscriptions, row) };
    await pause(Math.random() * LONGEST_PAUSE);
  }
  throw new Error(
    `The plan of ${userId} was decided elsewhere ${ROUNDS} times while it was being decided here.`,
  );
}

/**
 * Gives back and ends what is paid beside the subscription that is kept, and makes unpayable what ended ones have left open.
 * Each of these happens once in a subscription's life; in the everyday case nothing is asked. Resolves with all of them as
 * they stand then. `row` is the one that was read before they were asked for.
 */
export async function settled(
  billing: Pick<Billing, 'refundAndEnd' | 'closeEnded'>,
  subscriptions: readonly Subscription[],
  row: UserPlan,
): Promise<readonly Subscription[]> {
  const second = new Set(surplus(subscriptions, row));
  const after: Subscription[] = [];
  for (const before of subscriptions) {
    let one = before;
    if (second.has(one)) {
      one = await billing.refundAndEnd(one);
      console.info({
        message: 'A second subscription was refunded and ended.',
        user: row.id,
        subscription: one.id,
      });
    }
    // What support made in Stripe by hand is support's to tidy up.
    after.push(leftOpen(one) && one.userId === row.id ? await billing.closeEnded(one) : one);
  }
  return after;
}

/** A row put there by hand may carry only the specification's field. */
export const billingCustomer = (row: UserPlan): string | undefined =>
  row.billing_customer_id ?? row.stripe_customer_id;
