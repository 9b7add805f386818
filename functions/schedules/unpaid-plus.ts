import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { backgroundFunctions } from '../../schemas/config/environment.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { decidePlan, isComplimentary } from '../domain/decide-plan.ts';
import { endingEventTypes, mayEndPlus } from '../domain/may-end-plus.ts';
import { customerIdOf } from '../domain/plan.ts';
import { stripeEventSubject, type StripeEventSubject } from '../domain/stripe-event-subject.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { isOutOfTime } from '../runtime/time-budget.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { finishSweep } from './finish-sweep.ts';

const NAME = 'schedules/unpaid-plus';
const CONCURRENCY = 4;
// Seconds.
const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Seconds within which the webhook and at least one event catch-up have handled an event. */
const GRACE = 2 * HOUR;

const Input = z.object({
  /** Number of days of events to read. Stripe lists thirty. */
  days: z.int().check(z.gte(1), z.lte(29)),
});

interface Dependencies {
  plans: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'stage' | 'eventsBetween' | 'subscriptionsOf' | 'ownerOf'>;
}

export interface UnpaidOutcome {
  unpaid: number;
  /** Whether time ran out. A run for fewer days can finish. */
  unfinished: boolean;
}

/**
 * Counts users on Plus by payment without a subscription that gives it, and logs each. Changes nothing: the
 * code that should have changed the plan has a bug, and repairing the row would hide it.
 *
 * Reads Stripe's events that may have ended a plan, and asks Stripe only about those users whose row is still
 * on Plus. So the cost grows with the number of ended subscriptions, not of users. Shares no cursor with the
 * event catch-up.
 */
export const countUnpaidPlus =
  (dependencies: Dependencies, clock: () => Date = () => new Date()) =>
  async (input: unknown, isOver: () => boolean = () => false): Promise<UnpaidOutcome> => {
    const { days } = Input.parse(input);
    const now = clock();
    const to = Math.floor(now.getTime() / 1000) - GRACE;
    // One extra hour of overlap, since schedules aren't exact.
    const ended = await endedBetween(dependencies, { from: to - days * DAY - HOUR, to }, isOver);
    let unpaid = 0;
    const run = await forEachLimit(ended, {
      limit: CONCURRENCY,
      work: async (subject) => {
        if (await isUnpaid(dependencies, subject, now)) unpaid += 1;
      },
      isOver,
    });
    metric('UnpaidPlus', unpaid);
    finishSweep({ sweep: NAME, run, items: 'customers' });
    return { unpaid, unfinished: run.outOfTime };
  };

/** The customers of events that may have ended a plan, each once. */
async function endedBetween(
  { billing }: Dependencies,
  { from, to }: { from: number; to: number },
  isOver: () => boolean,
): Promise<StripeEventSubject[]> {
  const ended = new Map<string, StripeEventSubject>();
  for await (const event of billing.eventsBetween(from, to, endingEventTypes)) {
    const subject = mayEndPlus(event) ? stripeEventSubject(event, billing.stage) : undefined;
    if (subject) ended.set(subject.customerId, subject);
    if (isOver()) break;
  }
  return [...ended.values()];
}

async function isUnpaid(
  { plans, billing }: Dependencies,
  { customerId, userId, unmarkedUserId }: StripeEventSubject,
  now: Date,
): Promise<boolean> {
  const named = userId ?? unmarkedUserId ?? (await userInCustomer(billing, customerId));
  const row = named === undefined ? undefined : await plans.read(named);
  if (row?.plan !== 'plus' || isComplimentary(row)) return false;
  const customer = customerIdOf(row);
  const subscriptions = customer === undefined ? [] : await billing.subscriptionsOf(customer, row);
  if (decidePlan(row, subscriptions, now).fields.plan === 'plus') return false;
  log.error('plus-unpaid', { user: row.id, customer: customer ?? customerId });
  return true;
}

async function userInCustomer(
  billing: Pick<Billing, 'ownerOf'>,
  customerId: string,
): Promise<string | undefined> {
  const owner = await billing.ownerOf(customerId);
  return owner?.kind === 'foreign' ? undefined : owner?.userId;
}

export const handler = withEnvironment(backgroundFunctions[NAME], (environment) => {
  const count = countUnpaidPlus({
    plans: plansTable(environment.PLANS_TABLE),
    billing: stripeBilling(environment),
  });
  return (input: unknown, context: Context): Promise<UnpaidOutcome> => count(input, isOutOfTime(context));
});
