import { setTimeout as pause } from 'node:timers/promises';
import type { Trigger } from '../../schemas/log-events.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { decidePlan } from '../domain/decide-plan.ts';
import type { Subscription } from '../domain/subscription.ts';
import { isSamePlan } from '../domain/plan.ts';
import { log } from '../runtime/log.ts';
import { areSettled, settleSubscriptions } from './settle-subscriptions.ts';

export interface ReconcileDependencies {
  plans: PlansTable;
  billing: Billing;
}

export interface ReconcileOptions {
  /** Logged with the decision. */
  trigger: Trigger;
  /** Schedules the end of a complimentary plan. @default false */
  cancelComplimentary?: boolean;
  /**
   * What the caller has read in this request: the row, and the subscriptions, if they were read after the
   * row. The first attempt decides from it. An attempt after a lost write reads everything again.
   */
  known?: { row: UserPlan; subscriptions?: readonly Subscription[] } | undefined;
  /**
   * Writes nothing where the plan stays the same and nothing is to be settled. For a caller that only has to
   * know the state at Stripe. Not for one that follows a change there: its write, even of the same plan, is
   * what makes a concurrent decision from an older read lose.
   *
   * @default false
   */
  onlyChanges?: boolean;
}

/** The row as it was written, and the user's subscriptions after they were settled. */
export interface Reconciled {
  row: UserPlan;
  subscriptions: readonly Subscription[];
}

/** What is known once Stripe has answered a change with the changed subscription. */
export const withSubscription = ({ row, subscriptions }: Reconciled, changed: Subscription): Reconciled => ({
  row,
  subscriptions: subscriptions.map((subscription) =>
    subscription.id === changed.id ? changed : subscription,
  ),
});

// Each lost attempt means that another decision was written meanwhile. Stripe sends the handful of events of
// one payment at the same moment, and each may lose to each of the others.
const MAXIMUM_ATTEMPTS = 10;
// Milliseconds. Long enough that writers that lost to each other don't meet again.
const MAXIMUM_PAUSE = 100;

/**
 * Recomputes a user's plan from Stripe and writes it with an optimistic lock (`version`). Safe to call at any
 * time, any number of times: the row is read before Stripe is asked and every write raises the version, so
 * the write with the staler read loses and retries. For the same reason the two reads can't be made at once.
 *
 * Afterwards settles the subscriptions: refunds duplicates and voids what ended ones left open. A failure
 * there is thrown; the plan stays as it was written, and the next call settles again.
 *
 * Resolves with undefined for a user without a row: a late event doesn't bring a deleted account back.
 */
export async function reconcile(
  { plans, billing }: ReconcileDependencies,
  userId: string,
  now: Date,
  { trigger, cancelComplimentary = false, known, onlyChanges = false }: ReconcileOptions,
): Promise<Reconciled | undefined> {
  for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt += 1) {
    const { row = await plans.read(userId), subscriptions: read } = attempt === 0 && known ? known : {};
    if (!row) return undefined;
    const customerId = row.billing_customer_id ?? (await adoptImportedCustomer(plans, row, now));
    const subscriptions = read ?? (customerId ? await billing.subscriptionsOf(customerId) : []);
    const decision = decidePlan(row, subscriptions, now, { cancelComplimentary });
    const rowWithCustomer = customerId ? { ...row, billing_customer_id: customerId } : row;
    if (onlyChanges && isSamePlan(row, decision.fields) && areSettled(subscriptions, row)) {
      return { row: rowWithCustomer, subscriptions };
    }
    const written = await plans.decide(rowWithCustomer, decision.fields, now);
    if (written) {
      log.info('plan-decided', {
        user: userId,
        from: row.plan,
        to: written.plan,
        expiresAt: written.plan_expires_at ?? null,
        because: decision.because,
        subscription: decision.subscription?.id ?? null,
        trigger,
      });
      return { row: written, subscriptions: await settleSubscriptions(billing, subscriptions, row) };
    }
    await pause(Math.random() * MAXIMUM_PAUSE);
  }
  throw new Error(
    `The plan of ${userId} was decided elsewhere ${MAXIMUM_ATTEMPTS} times while it was being decided here.`,
  );
}

/** A row that was imported may name its customer in `stripe_customer_id` alone, which Free clears. */
async function adoptImportedCustomer(
  plans: PlansTable,
  { id, stripe_customer_id: imported }: UserPlan,
  now: Date,
): Promise<string | undefined> {
  return imported && ((await plans.adoptCustomer(id, imported, undefined, now)) ?? imported);
}
