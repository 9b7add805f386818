import * as z from 'zod/mini';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { type CountedStep, idleSteps } from '../adapters/dynamodb/idle-steps.ts';
import { dueQueue } from '../adapters/due-queue.ts';
import { idle, planTable } from '../adapters/tables.ts';
import { idleStep, warningsOf } from '../domain/idle.ts';
import { log } from '../runtime/log.ts';
import { withinTime } from '../runtime/time-budget.ts';
import type { Made } from '../runtime/with-environment.ts';
import { feedDueAccounts, idsInAllShards } from './feed-due-accounts.ts';

const NAME = 'schedules/idle-accounts';
const DAY = 24 * 3_600_000;
// The accounts that a dry run lists. Lambda's answer is limited to 6 MB.
const MAXIMUM_LISTED = 1_000;

/**
 * The share of all accounts that may be warned, and deleted, in a day, and the least number: a bug deletes no
 * more. At 40 % of all accounts lapsing in a year, a day has 0.22 % warnings and 0.11 % deletions.
 */
export const DAILY_SHARE = 0.01;
export const DAILY_LEAST = 100;

/** A day with three times the steps of the busiest day of the week before is a jump, from fifty steps on. */
const JUMP = 3;
const LEAST_JUMP = 50;
const WEEK = [1, 2, 3, 4, 5, 6, 7];

const adapters = {
  planTable,
  queue: dueQueue,
  idle,
  steps: (of: { LIMITS_TABLE: string }) => idleSteps(of.LIMITS_TABLE),
  clock: () => () => new Date(),
};
type Dependencies = Made<typeof adapters>;

/** Sends the accounts whose next step is due to the queue, whose consumer warns owners or deletes them. */
export const feedIdle =
  (dependencies: Dependencies) =>
  async (isOver: () => boolean = () => false) => {
    const { idle: rows, queue, clock } = dependencies;
    const now = clock();
    const limit = Math.max(DAILY_LEAST, Math.floor(DAILY_SHARE * (await rows.count())));
    await reportJump(dependencies, 'warn', now);
    await reportJump(dependencies, 'delete', now);
    return feedDueAccounts({
      sweep: NAME,
      queue,
      idsOf: (shard) => rows.due(shard, now),
      messageOf: (user) => ({ task: 'idle', user, limit }),
      now,
      isOver,
    });
  };

/** Logs a sudden jump, which raises an alarm. A number that has grown slowly raises none. */
async function reportJump({ steps }: Dependencies, step: CountedStep, now: Date): Promise<void> {
  const today = await steps.on(step, now);
  if (today < LEAST_JUMP) return;
  const before = await Promise.all(WEEK.map((days) => steps.on(step, new Date(now.getTime() - days * DAY))));
  const busiest = Math.max(...before);
  if (today >= JUMP * busiest) log.error('idle-jump', { step, today, busiest });
}

/**
 * Lists the steps that would be due within `days` if nobody signed in, the earliest first, also of an account
 * that would be kept for a subscription that only Stripe knows.
 */
export const listIdle =
  ({ idle: rows, planTable: plans, clock }: Pick<Dependencies, 'idle' | 'planTable' | 'clock'>) =>
  async (days: number) => {
    const until = new Date(clock().getTime() + days * DAY);
    const accounts: ReturnType<typeof listed>[] = [];
    const shardErrors: unknown[] = [];
    for await (const id of idsInAllShards((shard) => rows.due(shard, until), until, shardErrors)) {
      if (accounts.length > MAXIMUM_LISTED) break;
      const row = await plans.read(id);
      if (row?.idle_due_at === undefined) continue;
      accounts.push(listed(row, row.idle_due_at, until));
    }
    if (shardErrors.length > 0) throw shardErrors[0];
    return {
      accounts: accounts.toSorted((a, b) => (a.due < b.due ? -1 : 1)).slice(0, MAXIMUM_LISTED),
      more: accounts.length > MAXIMUM_LISTED,
    };
  };

/** `due`: the time of the step; ISO 8601. */
const listed = (row: UserPlan, due: string, until: Date) => ({
  id: row.id,
  step: idleStep(row, until),
  due,
  warnings: warningsOf(row),
  lastSignInAt: row.last_sign_in_at ?? null,
});

/** The function's input. Strict, without a default: a misspelled dry run is refused, and deletes nobody. */
const Request = z.discriminatedUnion('task', [
  z.strictObject({ task: z.literal('feed') }),
  z.strictObject({
    task: z.literal('dry-run'),
    days: z._default(z.number().check(z.gte(0), z.lte(365)), 0),
  }),
]);

export const handler = withinTime(NAME, adapters, (dependencies) => async (isOver, event) => {
  const request = Request.parse(event);
  return request.task === 'dry-run' ? listIdle(dependencies)(request.days) : feedIdle(dependencies)(isOver);
});
