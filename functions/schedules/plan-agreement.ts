import * as z from 'zod/mini';
import { agreementCursor, type Pass } from '../adapters/dynamodb/cursors.ts';
import { paidRows } from '../adapters/dynamodb/user-plans/paid-rows.ts';
import { isClosing } from '../domain/closing.ts';
import { decidePlan, isPlanOf } from '../domain/decide-plan.ts';
import { customerIdOf, isSamePlan } from '../domain/plan.ts';
import { stripeEventSubject } from '../domain/stripe-event-subject.ts';
import { isEntitling, type Subscription } from '../domain/subscription.ts';
import { jobAdapters } from '../plans/plan-adapters.ts';
import { reconcile } from '../plans/reconcile.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { withinTime } from '../runtime/time-budget.ts';
import type { Made } from '../runtime/with-environment.ts';
import { finishSweep } from './finish-sweep.ts';

const NAME = 'schedules/plan-agreement';
// Enough for the job's share of Stripe's rate, if Stripe takes half a second for an answer.
const CONCURRENCY = 8;
/** Seconds within which a webhook, the event catch-up or a task has decided a plan. */
const GRACE = 2 * 3_600;
/** Milliseconds. A pass begins each day, in the same hour as the day before. */
const INTERVAL = 23 * 3_600_000;
/** The subscriptions of a slice: a page of Stripe's list. */
const SLICE = 100;

const adapters = {
  ...jobAdapters(NAME),
  /** The rows on Plus by payment, after a row's id. */
  paidRows: (of: { USER_PLANS_TABLE: string }) => (after?: string) => paidRows(of.USER_PLANS_TABLE, after),
  passes: (of: { STRIPE_WORK_TABLE: string }) => agreementCursor(of.STRIPE_WORK_TABLE),
};
type Dependencies = Made<typeof adapters>;

/** Users to compare, with the customer if one is known, and where the pass goes on after them. */
interface Slice {
  users: readonly { user: string; customer: string | undefined }[];
  next: Pick<Pass, 'phase' | 'after'>;
}

/**
 * Compares all rows on Plus by payment with all subscriptions at Stripe, in both directions. Decides the
 * plans that disagree again, and logs and counts their users, since our code may have a bug.
 *
 * A run goes on after the last slice of the run before. A row on Plus costs a request to Stripe, a hundred
 * subscriptions cost one, so a day has time for some 290,000 payers. `disagree`: users so far in this pass.
 */
export const comparePlans =
  (dependencies: Dependencies, clock: () => Date = () => new Date()) =>
  async (isOver: () => boolean = () => false, isRestart = false) => {
    const { passes } = dependencies;
    const now = clock();
    let pass: Pass | undefined = await passes.read();
    if (isRestart || !pass || (pass.phase === 'done' && now.getTime() - Date.parse(pass.began) >= INTERVAL)) {
      pass = { began: now.toISOString(), phase: 'rows', disagree: 0 };
    }
    if (pass.phase === 'done') return { disagree: pass.disagree, unfinished: false };
    let changed: Promise<Set<string>> | undefined;
    const total = { done: 0, failures: new Map<string, unknown>(), outOfTime: false };
    let found = 0;
    for await (const { users, next } of slicesOf(dependencies, pass)) {
      const run = await forEachLimit(users, {
        limit: CONCURRENCY,
        work: async ({ user, customer }) => {
          const recent = () => (changed ??= changedLately(dependencies, now));
          if (!(await disagrees(dependencies, { user, customer }, recent, now))) return;
          found += 1;
          await reconcile(dependencies, user, now, { trigger: NAME });
        },
        isOver,
      });
      total.done += run.done;
      for (const [{ user }, error] of run.failures) total.failures.set(user, error);
      total.outOfTime = run.outOfTime || (isOver() && next.phase !== 'done');
      // The next run takes an unfinished slice from its beginning: what was decided agrees then.
      const disagree: number = pass.disagree + found;
      pass = { ...(run.outOfTime ? pass : { began: pass.began, ...next }), disagree };
      await passes.write(pass);
      metric('PlanDisagreements', found);
      found = 0;
      if (total.outOfTime) break;
    }
    const isDone = pass.phase === 'done';
    finishSweep(NAME, 'users', total, { unfinished: !isDone });
    return { disagree: pass.disagree, unfinished: !isDone };
  };

/** The slices that are left of a pass. */
async function* slicesOf(dependencies: Dependencies, { phase, after }: Pass): AsyncGenerator<Slice> {
  if (phase === 'rows') {
    for await (const { rows, next } of dependencies.paidRows(after)) {
      yield {
        users: rows.map((row) => ({ user: row.id, customer: customerIdOf(row) })),
        next: next === undefined ? { phase: 'subscriptions' } : { phase: 'rows', after: next },
      };
    }
  }
  let users: { user: string; customer: string | undefined }[] = [];
  let seen = 0;
  for await (const subscription of dependencies.billing.running(phase === 'rows' ? undefined : after)) {
    if (await mayLackPlan(dependencies, subscription)) {
      users.push({ user: subscription.userId ?? '', customer: subscription.customerId });
    }
    seen += 1;
    if (seen % SLICE > 0) continue;
    yield { users, next: { phase: 'subscriptions', after: subscription.id } };
    users = [];
  }
  yield { users, next: { phase: 'done' } };
}

/** Whether the subscription gives a plan that its user's row doesn't have. */
async function mayLackPlan({ planTable }: Dependencies, subscription: Subscription): Promise<boolean> {
  const { userId } = subscription;
  if (userId === undefined || !isEntitling(subscription)) return false;
  const row = await planTable.read(userId);
  return row !== undefined && !isPlanOf(row, subscription);
}

/** The customers whose plan a webhook or the event catch-up may still have to decide. */
async function changedLately({ billing }: Dependencies, now: Date): Promise<Set<string>> {
  const to = Math.floor(now.getTime() / 1000) + 1;
  const customers = new Set<string>();
  for await (const event of billing.eventsBetween(to - GRACE, to)) {
    const subject = stripeEventSubject(event, billing.stage);
    if (subject) customers.add(subject.customerId);
  }
  return customers;
}

/** Whether the row isn't what Stripe's subscriptions give, and nobody has it in hand. */
async function disagrees(
  { planTable, billing }: Dependencies,
  { user, customer: listed }: { user: string; customer: string | undefined },
  changed: () => Promise<ReadonlySet<string>>,
  now: Date,
): Promise<boolean> {
  const row = await planTable.read(user);
  if (!row || isClosing(row, now)) return false;
  const customer = customerIdOf(row) ?? listed;
  const subscriptions = customer === undefined ? [] : await billing.subscriptionsOf(customer, row);
  const { fields } = decidePlan(row, subscriptions, now);
  if (isSamePlan(row, fields)) return false;
  // A task decides the plan when Stripe's tries are over, which is no event.
  const triesEnded = subscriptions.some(
    ({ state }) => state.kind === 'given-up' && state.triesEndAt > now.getTime() / 1000 - GRACE,
  );
  if (triesEnded || (customer !== undefined && (await changed()).has(customer))) return false;
  log.error('plan-disagrees', { user, customer: customer ?? null, row: row.plan, stripe: fields.plan });
  return true;
}

/** The function's input. `restart`: begins a new pass now. */
const Request = z.strictObject({ restart: z.boolean() });

export const handler = withinTime(
  NAME,
  adapters,
  (dependencies) => (isOver, event) => comparePlans(dependencies)(isOver, Request.parse(event).restart),
);
