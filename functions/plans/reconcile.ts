import { setTimeout as pause } from 'node:timers/promises';
import type { Trigger } from '../../schemas/log-events.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { decidePlan } from '../domain/decide-plan.ts';
import type { Subscription } from '../domain/subscription.ts';
import { customerIdOf, isSamePlan } from '../domain/plan.ts';
import { isClosing } from '../domain/closing.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { Refusal } from '../runtime/refusal.ts';
import { leaveTask, type TaskDependencies } from './leave-task.ts';
import { areSettled, settleSubscriptions } from './settle-subscriptions.ts';

export interface ReconcileDependencies extends TaskDependencies {
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
  /** Why settling failed, which is left as a task. Undefined if it didn't. */
  unsettled?: unknown;
}

/** What is known once Stripe has answered a change with the changed subscription. */
export const withSubscription = ({ row, subscriptions }: Reconciled, changed: Subscription): Reconciled => ({
  row,
  subscriptions: subscriptions.map((subscription) =>
    subscription.id === changed.id ? changed : subscription,
  ),
});

// An attempt loses only to another decision. After what the caller had read, and two attempts of its own, two
// have been written since, and the second suffices. The rest is for decisions that must be written here.
const MAXIMUM_ATTEMPTS = 10;
// Milliseconds. Long enough that writers that lost to each other don't meet again.
const MAXIMUM_PAUSE = 100;

/**
 * Recomputes a user's plan from Stripe and writes it with an optimistic lock (`version`). Safe to call at any
 * time, any number of times: the row is read before Stripe is asked and every write raises the version, so
 * the write with the staler read loses and retries. For the same reason the two reads can't be made at once.
 *
 * Many calls for one user at once don't all write. Where two decisions were written after this call has read
 * the row, the second was made from a read of Stripe that began later than this call, so it stands for this
 * call's as well.
 *
 * Afterwards settles the subscriptions: refunds duplicates and voids what ended ones left open. A failure
 * there is left as a task; the plan stays as it was written.
 *
 * Resolves with undefined for a user without a row: a late event doesn't bring a deleted account back.
 * Refuses as `busy` if others keep writing.
 */
export async function reconcile(
  dependencies: ReconcileDependencies,
  userId: string,
  now: Date,
  { trigger, cancelComplimentary = false, known, onlyChanges = false }: ReconcileOptions,
): Promise<Reconciled | undefined> {
  const { plans, billing } = dependencies;
  // The version of the first row that was read here.
  let firstVersion: number | undefined;
  let newest: readonly Subscription[] = [];
  for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt += 1) {
    const isKnown = attempt === 0 && known !== undefined;
    const { row = await plans.read(userId), subscriptions: read } = isKnown ? known : {};
    if (!row) return undefined;
    // Deletion counts the version up without reading Stripe.
    if (
      firstVersion !== undefined &&
      row.version >= firstVersion + 2 &&
      !cancelComplimentary &&
      !isClosing(row, now)
    ) {
      return { row, subscriptions: newest };
    }
    if (!isKnown) firstVersion ??= row.version;
    const customerId = row.billing_customer_id ?? (await adoptImportedCustomer(plans, row, now));
    const subscriptions = read ?? (customerId ? await billing.subscriptionsOf(customerId) : []);
    newest = subscriptions;
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
      countChange(row, written);
      return settle(dependencies, { row, written, subscriptions }, now);
    }
    await pause(Math.random() * MAXIMUM_PAUSE);
  }
  throw new Refusal('busy');
}

/** Complimentary plans have no `stripe_customer_id`. */
const isPaid = (row: UserPlan): boolean => row.plan === 'plus' && row.stripe_customer_id !== undefined;
const renews = (row: UserPlan): boolean => isPaid(row) && row.plan_expires_at === undefined;

/** Counts what changed for a plan that is paid for. */
function countChange(before: UserPlan, after: UserPlan): void {
  if (isPaid(after) && !isPaid(before)) metric('PlusStarted');
  if (renews(before) && !renews(after)) metric('Cancellations');
}

async function settle(
  { billing, tasks }: ReconcileDependencies,
  {
    row,
    written,
    subscriptions,
  }: { row: UserPlan; written: UserPlan; subscriptions: readonly Subscription[] },
  now: Date,
): Promise<Reconciled> {
  const settled = await settleSubscriptions(billing, subscriptions, row);
  const [first] = settled.failures;
  const customer = customerIdOf(written);
  if (!first || customer === undefined) return { row: written, subscriptions: settled.subscriptions };
  await leaveTask({ tasks }, { work: 'follow', customer_id: customer, user_id: row.id }, first.error, now);
  return { row: written, subscriptions: settled.subscriptions, unsettled: first.error };
}

/** A row that was imported may name its customer in `stripe_customer_id` alone, which Free clears. */
async function adoptImportedCustomer(
  plans: PlansTable,
  { id, stripe_customer_id: imported }: UserPlan,
  now: Date,
): Promise<string | undefined> {
  return imported && ((await plans.adoptCustomer(id, imported, undefined, now)) ?? imported);
}
