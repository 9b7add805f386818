import { setTimeout as pause } from 'node:timers/promises';
import { isPaid } from '../../schemas/product/offers.ts';
import type { Trigger } from '../../schemas/config/log-events.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { PlansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { activeSubscription, decidePlan, type PlanDecision } from '../domain/decide-plan.ts';
import { decidedAgainAt, isEntitling, type Subscription } from '../domain/subscription.ts';
import { customerIdOf, isSamePlan } from '../domain/plan.ts';
import { billingStateFields, type NoticeFacts, statesOf } from '../domain/billing-state.ts';
import { isClosing } from '../domain/closing.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { Refusal } from '../runtime/refusal.ts';
import { enqueueTask, NOT_TRIED, type TaskDependencies } from '../notices/enqueue-task.ts';
import { enqueuePlanNotices, hasNotices } from '../notices/enqueue-plan-notices.ts';
import { areSettled, settleSubscriptions } from './settle-subscriptions.ts';

export interface ReconcileDependencies extends TaskDependencies {
  planTable: PlansTable;
  billing: Billing;
}

export interface ReconcileOptions {
  /** The cause that is logged with the decision. */
  trigger: Trigger;
  /** Schedules the end of a complimentary plan. @default false */
  cancelComplimentary?: boolean;
  /**
   * The row and the subscriptions that the caller has read in this request, if the subscriptions were read
   * after the row. The first attempt decides from them. An attempt after a lost write reads everything again.
   */
  known?: { row: UserPlan; subscriptions?: readonly Subscription[] } | undefined;
  /**
   * Writes nothing if the plan stays the same and no subscription needs settling. For callers that only need
   * the state at Stripe. Wrong for a caller that has just changed something at Stripe: its write, even of the
   * same plan, makes a concurrent decision from an older read lose.
   *
   * @default false
   */
  onlyChanges?: boolean;
  /**
   * Asks Stripe for the next charge even if there is no mail to write. For the time before a renewal, in
   * which a higher charge is announced.
   *
   * @default false
   */
  previewsCharge?: boolean;
}

/** The row as written, and the user's subscriptions after settling. */
export interface Reconciled {
  row: UserPlan;
  subscriptions: readonly Subscription[];
  /** The failure of settling, for which a task is enqueued. Undefined if settling succeeded. */
  unsettled?: unknown;
  /**
   * The time when a task decides the plan of a past due subscription again, since Stripe may send no event:
   * when Plus ends unless a payment arrives, or a day after Stripe's next try.
   */
  triesEnd?: Date | undefined;
}

/** The state after Stripe has answered a change with the changed subscription. */
export const withSubscription = ({ row, subscriptions }: Reconciled, changed: Subscription): Reconciled => ({
  row,
  subscriptions: subscriptions.map((subscription) =>
    subscription.id === changed.id ? changed : subscription,
  ),
});

// An attempt loses only to another decision. After two attempts of its own, `reconcile` may return the other
// decisions' result. The remaining attempts are for decisions that must be written here.
const MAXIMUM_ATTEMPTS = 10;
// Milliseconds. Long enough that writers that lost to each other don't collide again.
const MAXIMUM_PAUSE = 100;

/**
 * Recomputes a user's plan from Stripe and writes it with an optimistic lock (`version`). Safe to call at any
 * time, any number of times: the row is read before Stripe is asked and every write raises the version, so
 * the write with the staler read loses and retries. For the same reason the two reads can't run in parallel.
 *
 * When many calls for one user run at once, not all of them write. If two decisions were written after this
 * call read the row, the second decision was made from a read of Stripe that began after this call, so its
 * result is valid for this call too.
 *
 * The same write stores what mails may say of it (`BillingState`). Before it, a task is enqueued that
 * mails what nobody has mailed by then.
 *
 * Then settles the subscriptions: refunds duplicates and voids the open invoices of ended subscriptions.
 * After a failure a task is enqueued; the plan stays as written.
 *
 * Resolves with undefined for a user without a row: a late event doesn't bring a deleted account back.
 * Refuses as `busy` if other calls keep writing.
 */
export async function reconcile(
  dependencies: ReconcileDependencies,
  userId: string,
  now: Date,
  {
    trigger,
    cancelComplimentary = false,
    known,
    onlyChanges = false,
    previewsCharge = false,
  }: ReconcileOptions,
): Promise<Reconciled | undefined> {
  const { planTable, billing } = dependencies;
  // The version of the first row that was read here.
  let firstVersion: number | undefined;
  let newest: readonly Subscription[] = [];
  for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt += 1) {
    const isKnown = attempt === 0 && known !== undefined;
    const { row = await planTable.read(userId), subscriptions: read } = isKnown ? known : {};
    if (!row) return undefined;
    // A deletion raises the version without reading Stripe.
    if (
      firstVersion !== undefined &&
      row.version >= firstVersion + 2 &&
      !cancelComplimentary &&
      !isClosing(row, now)
    ) {
      return { row, subscriptions: newest };
    }
    if (!isKnown) firstVersion ??= row.version;
    const customerId = customerIdOf(row);
    const subscriptions = read ?? (customerId ? await billing.subscriptionsOf(customerId, row) : []);
    newest = subscriptions;
    const decision = decidePlan(row, subscriptions, now, { cancelComplimentary });
    let state = billingStateFields(row, decision, subscriptions, now);
    const isKnownState = state.billing_seen === row.billing_seen;
    if (onlyChanges && isKnownState && isSamePlan(row, decision.fields) && areSettled(subscriptions, row)) {
      return { row, subscriptions };
    }
    const decided = { ...row, ...state };
    const [facts] = await Promise.all([
      previewsCharge || hasNotices(decided, now)
        ? noticeFacts(billing, decision, decided, previewsCharge)
        : undefined,
      enqueuePlanNotices(dependencies, row, state, now),
    ]);
    if (facts) state = billingStateFields(row, decision, subscriptions, now, facts);
    // The answer itself may be what there is to say.
    if (previewsCharge) await enqueuePlanNotices(dependencies, row, state, now);
    const written = await planTable.decide(row, { ...decision.fields, ...state }, now);
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

/**
 * The facts that a mail names and that the subscription doesn't: what Stripe takes next, and why a payment
 * failed. Asked once for each charge and each failure, and again with `isAsked`.
 */
async function noticeFacts(
  billing: Billing,
  { subscription }: PlanDecision,
  row: UserPlan,
  isAsked: boolean,
): Promise<NoticeFacts> {
  const { nextCharge, failed } = statesOf(row)?.seen ?? {};
  if (!subscription) return {};
  const [preview, cause] = await Promise.all([
    nextCharge && (isAsked || !nextCharge.preview) ? billing.nextChargeOf(subscription) : undefined,
    failed && !failed.cause ? billing.failureCauseOf(failed.invoice) : undefined,
  ]);
  return { preview, cause };
}

/** Complimentary plans have no `stripe_customer_id`. */
const isPayer = (row: UserPlan): boolean => isPaid(row.plan) && row.stripe_customer_id !== undefined;
const renews = (row: UserPlan): boolean => isPayer(row) && row.plan_expires_at === undefined;

/** Counts the change of a paid plan. */
function countChange(before: UserPlan, after: UserPlan): void {
  if (isPayer(after) && !isPayer(before)) metric('PlusStarted');
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
  // Subscriptions that support made in Stripe are support's.
  const own = settled.subscriptions.filter(({ userId }) => userId === row.id);
  if (!first && own.filter(isEntitling).length > 1) {
    log.error('plan-contradiction', { user: row.id, rule: 'several-subscriptions' });
  }
  const active = activeSubscription(settled.subscriptions, written);
  const againAt = active && decidedAgainAt(active);
  const reconciled: Reconciled = {
    row: written,
    subscriptions: settled.subscriptions,
    unsettled: first?.error,
    triesEnd: againAt === undefined ? undefined : new Date(againAt * 1000),
  };
  const customer = customerIdOf(written);
  if (customer === undefined) return reconciled;
  const task = { customer_id: customer, user_id: row.id };
  if (first) await enqueueTask({ tasks }, { work: 'reconcile', ...task }, first.error, now);
  if (reconciled.triesEnd) {
    await tasks.enqueue({ work: 'tries-end', ...task, failure: NOT_TRIED }, now, reconciled.triesEnd);
  }
  return reconciled;
}
