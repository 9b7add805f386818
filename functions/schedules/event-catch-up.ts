import type { Context } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/environment.ts';
import { cognitoUserPool } from '../adapters/cognito/user-pool.ts';
import { type EventCursor, eventCursor } from '../adapters/dynamodb/event-cursor.ts';
import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { type StripeEventSubject, stripeEventSubject } from '../domain/stripe-event-subject.ts';
import { handleStripeEvent, type StripeEventDependencies } from '../plans/handle-stripe-event.ts';
import { concurrently } from '../runtime/concurrently.ts';
import { log } from '../runtime/log.ts';
import { isOutOfTime } from '../runtime/time-budget.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const NAME = 'schedules/event-catch-up';
const CONCURRENCY = 8;
const minutes = (count: number): number => count * 60_000;

// Stripe can list an event after a younger one. Ten minutes are far more than Stripe takes, and reading an
// event twice does no harm.
const OVERLAP = minutes(10);
// Without a cursor: as long as Stripe itself retries a delivery (three days, docs.stripe.com/webhooks).
const FIRST_PERIOD = minutes(3 * 24 * 60);

/** All events about one customer. They ask for the same work. */
interface CustomerEvents {
  subject: StripeEventSubject;
  /** When the first of them was created, Unix seconds. */
  since: number;
}

interface Dependencies extends StripeEventDependencies {
  cursor: EventCursor;
}

export interface CatchUpOutcome {
  reconciled: number;
  /** Whether time ran out. The next catch-up continues where this catch-up ended. */
  unfinished: boolean;
}

/**
 * Reads Stripe's events since the last catch-up and does what their webhooks should have done. The cost
 * follows the number of events, not of users. The oldest are handled first, and the cursor never moves past
 * an event that wasn't handled.
 */
export const catchUp =
  (dependencies: Dependencies, clock: () => Date = () => new Date()) =>
  async (isOver: () => boolean = () => false): Promise<CatchUpOutcome> => {
    const now = clock();
    const readUntil = await dependencies.cursor.read();
    const since = new Date(readUntil ? readUntil.getTime() - OVERLAP : now.getTime() - FIRST_PERIOD);

    const customers = await customersSince(dependencies, since);
    const oldestFirst = [...customers.values()].toSorted((a, b) => a.since - b.since);
    const left = new Set(oldestFirst);
    const { done, failures, outOfTime } = await concurrently(oldestFirst, {
      limit: CONCURRENCY,
      work: async (customer) => {
        await handleStripeEvent(dependencies, customer.subject, now);
        left.delete(customer);
      },
      isOver,
    });
    log.info('sweep-finished', {
      sweep: NAME,
      done,
      failures: failures.size,
      unreadShards: 0,
      unfinished: outOfTime,
    });
    const [oldestLeft] = left;
    // The next read subtracts the overlap. Adding it here keeps the cursor from moving back.
    const until = oldestLeft ? new Date(oldestLeft.since * 1000 + OVERLAP) : now;
    if (!readUntil || until > readUntil) await dependencies.cursor.move(until < now ? until : now);
    if (failures.size > 0) {
      throw new Error(
        `${failures.size} of ${customers.size} customers are left for the next catch-up: ${String([...failures.values()][0])}`,
      );
    }
    return { reconciled: done, unfinished: outOfTime };
  };

async function customersSince(
  { billing }: StripeEventDependencies,
  since: Date,
): Promise<Map<string, CustomerEvents>> {
  const customers = new Map<string, CustomerEvents>();
  for await (const event of billing.eventsSince(since)) {
    const subject = stripeEventSubject(event);
    if (!subject) continue;
    const known = customers.get(subject.customerId);
    customers.set(subject.customerId, {
      subject: {
        ...subject,
        userId: subject.userId ?? known?.subject.userId,
        renewalUpcoming: subject.renewalUpcoming || (known?.subject.renewalUpcoming ?? false),
      },
      since: Math.min(subject.created, known?.since ?? Infinity),
    });
  }
  return customers;
}

export const handler = withEnvironment(backgroundFunctions[NAME], (environment) => {
  const run = catchUp({
    plans: plansTable(environment.PLANS_TABLE),
    billing: stripeBilling(environment),
    tasks: billingTasks(environment.STRIPE_WORK_TABLE),
    cursor: eventCursor(environment.STRIPE_WORK_TABLE),
    userPool: cognitoUserPool(environment.USER_POOL_ID),
  });
  return (_: unknown, context: Context): Promise<CatchUpOutcome> => run(isOutOfTime(context));
});
