import { setTimeout as pause } from 'node:timers/promises';
import { isPaid } from '../../schemas/product/offers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Uses } from '../adapters/adapters.ts';
import { activeSubscription, decidePlan, type PlanDecision } from '../domain/decide-plan.ts';
import { decidedAgainAt, isEntitling, type Subscription } from '../domain/subscription.ts';
import { customerIdOf, isSamePlan } from '../domain/plan.ts';
import { type AskedFacts, type PlanFacts, planFacts } from '../domain/plan-facts.ts';
import { dueNotices } from '../domain/plan-notices.ts';
import { isClosing } from '../domain/closing.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { Refusal } from '../runtime/refusal.ts';
import { enqueueTask, NOT_TRIED } from '../tasks/enqueue-task.ts';
import { enqueuePlanNotices } from '../notices/enqueue-plan-notices.ts';
import { askedFacts } from './asked-facts.ts';
import { areSettled, settleSubscriptions } from './settle-subscriptions.ts';

export type ReconcileDependencies = Uses<'planTable' | 'billing' | 'tasks'>;

export interface ReconcileOptions {
  /** The cause: `GET /plan`, a Stripe event type, or `schedules/expiry-sweep`. */
  trigger: string;
  /** Schedules the end of a complimentary plan. @default false */
  cancelComplimentary?: boolean;
  /** Read by the caller in this request, the subscriptions after the row. For the first attempt alone. */
  known?: { row: UserPlan; subscriptions?: readonly Subscription[] } | undefined;
  /**
   * Writes nothing if nothing changes. Wrong for a caller that has just changed something at Stripe: its
   * write, even of the same plan, makes a concurrent decision from an older read lose. @default false
   */
  onlyChanges?: boolean;
  /** Asks Stripe for the next charges before a renewal, which may announce a higher one. @default false */
  previewsCharge?: boolean;
  /** Asks Stripe for the last payment, which needn't be of the latest invoice. @default false */
  readsPayment?: boolean;
  /** The caller is the task that mails the user: asks for both, and enqueues no such task. @default false */
  mailsNext?: boolean;
}

export interface Reconciled {
  row: UserPlan;
  subscriptions: readonly Subscription[];
  /** Undefined if another call has decided. */
  facts?: PlanFacts;
  /** The failure of settling, for which a task is enqueued. Undefined if settling succeeded. */
  unsettled?: unknown;
  /** The time of `decidedAgainAt`, at which a task decides again. */
  triesEnd?: Date | undefined;
}

export const withSubscription = (
  { row, subscriptions }: Pick<Reconciled, 'row' | 'subscriptions'>,
  changed: Subscription,
): Pick<Reconciled, 'row' | 'subscriptions'> => ({
  row,
  subscriptions: subscriptions.map((subscription) =>
    subscription.id === changed.id ? changed : subscription,
  ),
});

// An attempt loses only to another decision. More than two are for decisions that must be written here.
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
 * Before the write, a task is enqueued that mails what nobody has mailed by then. After it, the subscriptions
 * are settled; after a failure of that, a task is enqueued and the plan stays as written.
 *
 * Resolves with undefined for a user without a row: a late event doesn't bring a deleted account back.
 * Refuses as `busy` if other calls keep writing.
 */
export async function reconcile(
  dependencies: ReconcileDependencies,
  userId: string,
  now: Date,
  options: ReconcileOptions,
): Promise<Reconciled | undefined> {
  const { trigger, cancelComplimentary = false, known, onlyChanges = false } = options;
  const { planTable, billing } = dependencies;
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
    const { fields } = decision;
    const isSettled = isSamePlan(row, fields) && areSettled(subscriptions, row);
    const facts = await prepareNotices(dependencies, row, decision, subscriptions, options, now);
    if (onlyChanges && isSettled) return { row, subscriptions, facts };
    const written = await planTable.decide(row, fields, now);
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
      return { ...(await settle(dependencies, row, written, subscriptions, now)), facts };
    }
    await pause(Math.random() * MAXIMUM_PAUSE);
  }
  throw new Refusal('busy');
}

/** If a mail is due, enqueues the task that sends it, and meanwhile asks Stripe for amounts and causes. */
async function prepareNotices(
  { billing, ...dependencies }: ReconcileDependencies,
  row: UserPlan,
  decision: PlanDecision,
  subscriptions: readonly Subscription[],
  { mailsNext = false, previewsCharge = mailsNext, readsPayment = mailsNext }: ReconcileOptions,
  now: Date,
): Promise<PlanFacts> {
  const { fields, subscription } = decision;
  const lastPaid = readsPayment && subscription ? await billing.lastPaidOf(subscription) : undefined;
  const factsWith = (asked: AskedFacts): PlanFacts =>
    planFacts(row, decision, subscriptions, now, { lastPaid, ...asked });
  const isDue = (facts: PlanFacts): boolean => dueNotices(row, facts, now).length > 0;
  const enqueue = (hasNotices: boolean) => enqueuePlanNotices(dependencies, row, { fields, hasNotices }, now);
  const expected = factsWith({});
  const isExpected = isDue(expected);
  const asks = subscription !== undefined && (previewsCharge || isExpected);
  const [facts] = await Promise.all([
    asks ? askedFacts(billing, subscription, subscriptions).then(factsWith) : expected,
    enqueue(isExpected && !mailsNext),
  ]);
  // The preview itself may require a notice.
  if (!isExpected && !mailsNext && isDue(facts)) await enqueue(true);
  return facts;
}

/** Complimentary plans have no `stripe_customer_id`. */
const isPayer = (row: UserPlan): boolean => isPaid(row.plan) && row.stripe_customer_id !== undefined;
const renews = (row: UserPlan): boolean => isPayer(row) && row.plan_expires_at === undefined;

function countChange(before: UserPlan, after: UserPlan): void {
  if (isPayer(after) && !isPayer(before)) metric('PlusStarted');
  if (renews(before) && !renews(after)) metric('Cancellations');
}

async function settle(
  { billing, tasks }: ReconcileDependencies,
  row: UserPlan,
  written: UserPlan,
  subscriptions: readonly Subscription[],
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
