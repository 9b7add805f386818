import { userPool } from '../adapters/cognito/user-pool.ts';
import type { StripeEventSubject } from '../domain/stripe-event-subject.ts';
import { handleStripeEvent } from '../plans/handle-stripe-event.ts';
import { enqueueTask } from '../tasks/enqueue-task.ts';
import { jobAdapters } from '../plans/plan-adapters.ts';
import { cursor } from '../adapters/tables.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { withinTime } from '../runtime/time-budget.ts';
import type { Made } from '../runtime/with-environment.ts';
import { eventSlices } from './event-slices.ts';

const NAME = 'schedules/event-catch-up';
const CONCURRENCY = 8;
const minutes = (count: number): number => count * 60_000;
const days = (count: number): number => minutes(count * 24 * 60);

// Stripe can list an event after a newer one, by far less than this. Reading it twice does no harm.
const OVERLAP = minutes(10);
// The first period without a cursor. Stripe itself retries as long (docs.stripe.com/webhooks).
const FIRST_PERIOD = days(3);
// "List events, going back up to 30 days" (Stripe's reference), less a day, within which a long run ends.
const LISTED_FOR = days(29);

const adapters = { ...jobAdapters(NAME), cursor, userPool };
type Dependencies = Made<typeof adapters>;

interface Run extends Dependencies {
  now: Date;
  isOver: () => boolean;
  done: number;
  /** Customers that were left to the billing tasks, or couldn't be. */
  failures: number;
  /** Events that were created earlier are handled. */
  position: Date;
}

/**
 * Reads Stripe's events since the last catch-up, oldest first, and does what their webhooks should have done.
 * The cursor never moves past an event that was neither handled nor left to the billing tasks: then it
 * throws. Events older than 29 days can't be read: `plan-agreement` finds the plans that they changed.
 */
export const catchUp =
  (dependencies: Dependencies, clock: () => Date = () => new Date()) =>
  async (isOver: () => boolean = () => false) => {
    const now = clock();
    const position = new Date(now.getTime() - FIRST_PERIOD);
    const run: Run = { ...dependencies, now, isOver, done: 0, failures: 0, position };
    let finished = false;
    try {
      const from = (await run.cursor.read()) ?? position;
      run.position = from;
      finished = await handleEvents(run, new Date(Math.max(from.getTime(), now.getTime() - LISTED_FOR)));
    } finally {
      metric('CatchUpLag', (now.getTime() - run.position.getTime()) / 1000);
      // An alarm compares webhooks with events, and can't compare a metric that never had a value.
      metric('WebhooksReceived', 0);
      log.info('sweep-finished', {
        sweep: NAME,
        done: run.done,
        failures: run.failures,
        unreadShards: 0,
        unfinished: !finished,
      });
    }
    return { reconciled: run.done, unfinished: !finished };
  };

/** Resolves with whether all events are handled; false if time ran out. */
async function handleEvents(run: Run, from: Date): Promise<boolean> {
  const { billing, now, isOver } = run;
  const period = { from: unixSeconds(from), to: unixSeconds(now) + 1 };
  run.position = from;
  let handledUntil = period.from;
  for await (const slice of eventSlices(billing, period, isOver)) {
    for (const [hour, events] of slice.eventsByHour) metric('StripeEvents', events, hour);
    const { left, failure } = await handleOrEnqueue(run, slice.customers);
    handledUntil = left[0]?.created ?? slice.to;
    const next = new Date(Math.min(handledUntil * 1000, now.getTime() - OVERLAP));
    if (next > run.position) {
      await run.cursor.move(next);
      run.position = next;
    }
    if (failure) throw failure;
    if (left.length > 0) return false;
  }
  return handledUntil >= period.to;
}

const unixSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/**
 * Handles the events of each customer, and leaves failed ones to the billing tasks. `left`: the customers, in
 * order, for which neither was done. `failure`: the error of writing a task.
 */
async function handleOrEnqueue(run: Run, customers: readonly StripeEventSubject[]) {
  const left = new Set(customers);
  const { done, failures } = await forEachLimit(customers, {
    limit: CONCURRENCY,
    work: async (customer) => {
      await handleStripeEvent(run, customer, run.now);
      left.delete(customer);
    },
    isOver: run.isOver,
  });
  const kept = await forEachLimit(failures, {
    limit: CONCURRENCY,
    work: async ([customer, error]) => {
      const { customerId, userId } = customer;
      await enqueueTask(run, { work: 'reconcile', customer_id: customerId, user_id: userId }, error, run.now);
      left.delete(customer);
    },
  });
  run.done += done;
  run.failures += failures.size;
  const [forgotten] = kept.failures;
  return {
    left: [...left],
    failure:
      forgotten &&
      new Error(
        `${kept.failures.size} of ${customers.length} customers are left for the next catch-up. The first failed with "${String(forgotten[0][1])}", and could not be kept: ${String(forgotten[1])}`,
      ),
  };
}

export const handler = withinTime(NAME, adapters, catchUp);
