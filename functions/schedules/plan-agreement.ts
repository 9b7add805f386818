import { backgroundFunctions } from '../../schemas/background-functions.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { paidRows } from '../adapters/dynamodb/user-plans/paid-rows.ts';
import { isClosing } from '../domain/closing.ts';
import { decidePlan, isPlanOf } from '../domain/decide-plan.ts';
import { customerIdOf, isSamePlan } from '../domain/plan.ts';
import { stripeEventSubject } from '../domain/stripe-event-subject.ts';
import { isEntitling, type Subscription } from '../domain/subscription.ts';
import { reconcile, type ReconcileDependencies } from '../plans/reconcile.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { withinTime } from '../runtime/time-budget.ts';
import { withAdapters } from '../runtime/with-environment.ts';
import { finishSweep } from './finish-sweep.ts';

const NAME = 'schedules/plan-agreement';
const CONCURRENCY = 4;
/** Seconds within which a webhook, the event catch-up or a task has decided a plan. */
const GRACE = 2 * 3_600;

interface Dependencies extends ReconcileDependencies {
  /** The rows on Plus by payment. */
  paidRows: () => AsyncIterable<UserPlan[]>;
}

export interface AgreementOutcome {
  /** Users whose row and Stripe disagree. */
  disagree: number;
  /** Whether time ran out, so that nothing was counted. */
  unfinished: boolean;
}

/**
 * Compares all rows on Plus by payment with all subscriptions at Stripe, in both directions: Plus that nobody
 * pays for, and payments that give no Plus. Counts the users and logs each, since the code that should have
 * decided the plan may have a bug, and decides the plan again.
 *
 * A list of Stripe's has a hundred subscriptions, so only users whose row differs cost a request of their
 * own. Two hundred thousand payers fit into a run.
 */
export const comparePlans =
  (dependencies: Dependencies, clock: () => Date = () => new Date()) =>
  async (isOver: () => boolean = () => false): Promise<AgreementOutcome> => {
    const now = clock();
    const suspects = await findSuspects(dependencies, isOver);
    const changed = suspects.size === 0 ? new Set<string>() : await changedLately(dependencies, now);
    let disagree = 0;
    const run = await forEachLimit(suspects, {
      limit: CONCURRENCY,
      work: async ([user, customer]) => {
        if (!(await disagrees(dependencies, { user, customer }, changed, now))) return;
        disagree += 1;
        await reconcile(dependencies, user, now, { trigger: NAME });
      },
      isOver,
    });
    const unfinished = isOver() || run.outOfTime;
    if (!unfinished) metric('PlanDisagreements', disagree);
    finishSweep({ sweep: NAME, run, unfinished, items: 'users' });
    return { disagree, unfinished };
  };

/** The users whose row isn't what a running subscription gives, with the customer if Stripe names one. */
async function findSuspects(
  { billing, paidRows: readRows }: Dependencies,
  isOver: () => boolean,
): Promise<Map<string, string | undefined>> {
  const running = new Map<string, Subscription[]>();
  for await (const subscription of billing.running()) {
    if (isOver()) break;
    const { userId } = subscription;
    if (userId === undefined || !isEntitling(subscription)) continue;
    running.set(userId, [...(running.get(userId) ?? []), subscription]);
  }
  const suspects = new Map<string, string | undefined>();
  for await (const rows of readRows()) {
    if (isOver()) break;
    for (const row of rows) {
      const agrees = running.get(row.id)?.some((subscription) => isPlanOf(row, subscription)) ?? false;
      if (!agrees) suspects.set(row.id, customerIdOf(row));
      running.delete(row.id);
    }
  }
  // Their rows are not on Plus by payment.
  for (const [user, [subscription]] of running) suspects.set(user, subscription?.customerId);
  return suspects;
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

/** Reads row and subscriptions again: both lists took minutes. */
async function disagrees(
  { planTable, billing }: Dependencies,
  { user, customer: listed }: { user: string; customer: string | undefined },
  changed: ReadonlySet<string>,
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
  if (triesEnded || (customer !== undefined && changed.has(customer))) return false;
  log.error('plan-disagrees', { user, customer: customer ?? null, row: row.plan, stripe: fields.plan });
  return true;
}

const adapters = {
  ...planAdapters,
  paidRows: (of: { USER_PLANS_TABLE: string }) => () => paidRows(of.USER_PLANS_TABLE),
};

export const handler = withAdapters(backgroundFunctions[NAME], adapters, (dependencies) =>
  withinTime(comparePlans(dependencies)),
);
