import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { sesMail } from '../adapters/ses.ts';
import { addressChanges, addresses, appSessions, idleRows } from '../adapters/tables.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { type IdleStep, idleStep, warningsOf } from '../domain/idle.ts';
import {
  processIdleAccount,
  type IdleDependencies,
  type IdleOutcome,
} from '../accounts/process-idle-account.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { log } from '../runtime/log.ts';
import { isOutOfTime } from '../runtime/time-budget.ts';
import { siteUrl, withAdapters } from '../runtime/with-environment.ts';
import { finishSweep } from './finish-sweep.ts';
import { idsInAllShards } from './all-shards.ts';

const NAME = 'schedules/idle-accounts';
// Each account is two or three calls to Cognito and one mail. Cognito answers 120 requests a second, and a
// new SES account may send 14 mails a second; users who are waiting come first.
const CONCURRENCY = 2;
const DAY = 24 * 3_600_000;
// The accounts that a dry run lists. Lambda's answer is limited to 6 MB.
const MAXIMUM_LISTED = 1_000;

/**
 * The number of accounts that a run may warn and delete. A bug that takes every account for idle deletes at
 * most a hundred a day, and raises an alarm on the first day. A hundred a day are 36,500 a year.
 */
export const LIMITS = { warn: 1_000, delete: 100 } as const;

export interface IdleSweepOutcome {
  outcomes: Record<IdleOutcome, number>;
  /** Whether time ran out. The remaining rows are still due, and the next run finds them. */
  unfinished: boolean;
}

/** An account as a dry run lists it. */
interface ListedAccount {
  id: string;
  step: IdleStep;
  /** Due time of that step; ISO 8601. */
  due: string;
  warnings: number;
  lastSignInAt: string | null;
}

/**
 * Warns the owners of accounts that nobody signs in to, and deletes those that were warned twice. The cost
 * grows with the number of accounts that are due: each step moves a row to a later date in the `by_idle`
 * index. Failed accounts are tried once more and stay due; their errors are thrown at the end.
 */
export const sweepIdle =
  (dependencies: IdleDependencies) =>
  async (isOver: () => boolean = () => false): Promise<IdleSweepOutcome> => {
    const outcomes = { none: 0, kept: 0, warned: 0, 'not-warned': 0, deleted: 0, removed: 0 };
    const mayTake = limited();
    const shardErrors: unknown[] = [];
    const due = dueAccounts(dependencies, dependencies.clock(), shardErrors);
    const run = await forEachLimit(due, {
      limit: CONCURRENCY,
      work: async (userId) => {
        const outcome = await processIdleAccount(dependencies, userId, mayTake);
        outcomes[outcome] += 1;
      },
      isOver,
    });
    finishSweep({ sweep: NAME, run, shardErrors, items: 'idle accounts', outcomes });
    return { outcomes, unfinished: run.outOfTime };
  };

/** Limits the steps of a run. The first step beyond a limit is logged, which raises an alarm. */
function limited(): (step: 'warn' | 'delete') => boolean {
  const taken = { warn: 0, delete: 0 };
  return (step) => {
    taken[step] += 1;
    const limit = LIMITS[step];
    if (taken[step] === limit + 1) log.error('idle-limit-reached', { step, limit });
    return taken[step] <= limit;
  };
}

const dueAccounts = ({ idle }: Pick<IdleDependencies, 'idle'>, until: Date, errors: unknown[]) =>
  idsInAllShards((shard) => idle.due(shard, until), Math.floor(until.getTime() / DAY), errors);

/**
 * Lists the steps that would be due within `days` if nobody signed in, the earliest first. Changes nothing.
 * Reads only the rows: an account whose subscription only Stripe knows is listed although it would be kept.
 */
export const listIdle =
  ({ idle, planTable, clock }: Pick<IdleDependencies, 'idle' | 'planTable' | 'clock'>) =>
  async (days: number): Promise<{ accounts: ListedAccount[]; more: boolean }> => {
    const until = new Date(clock().getTime() + days * DAY);
    const accounts: ListedAccount[] = [];
    const shardErrors: unknown[] = [];
    for await (const id of dueAccounts({ idle }, until, shardErrors)) {
      if (accounts.length > MAXIMUM_LISTED) break;
      const row = await planTable.read(id);
      if (row?.idle_due_at === undefined) continue;
      accounts.push({
        id,
        step: idleStep(row, until),
        due: row.idle_due_at,
        warnings: warningsOf(row),
        lastSignInAt: row.last_sign_in_at ?? null,
      });
    }
    if (shardErrors.length > 0) throw shardErrors[0];
    return {
      accounts: accounts.toSorted((a, b) => (a.due < b.due ? -1 : 1)).slice(0, MAXIMUM_LISTED),
      more: accounts.length > MAXIMUM_LISTED,
    };
  };

/**
 * The function's input. Strict and without a default: a misspelled dry run is refused, and deletes nobody.
 */
const Request = z.discriminatedUnion('task', [
  z.strictObject({ task: z.literal('sweep') }),
  z.strictObject({
    task: z.literal('dry-run'),
    days: z._default(z.number().check(z.gte(0), z.lte(365)), 0),
  }),
]);

const adapters = {
  ...planAdapters,
  addresses,
  addressChanges,
  appSessions,
  mail: sesMail,
  idle: idleRows,
  userPool,
  siteUrl,
  clock: () => () => new Date(),
};

export const handler = withAdapters(
  backgroundFunctions[NAME],
  adapters,
  (dependencies) =>
    async (event: unknown, context: Context): Promise<unknown> => {
      const request = Request.parse(event);
      return request.task === 'dry-run'
        ? listIdle(dependencies)(request.days)
        : sweepIdle(dependencies)(isOutOfTime(context));
    },
);
