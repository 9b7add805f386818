import { setTimeout as wait } from 'node:timers/promises';
import { retention } from '../../schemas/product/retention.ts';
import { removeIfUnconfirmed } from '../accounts/address-ownership.ts';
import { addresses } from '../adapters/tables.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { withinTime } from '../runtime/time-budget.ts';
import type { Made } from '../runtime/with-environment.ts';
import { finishSweep } from './finish-sweep.ts';

const NAME = 'schedules/unconfirmed-sweep';

// Milliseconds. A sign-up code is valid for 24 hours, and the user can ask for another code.
const LIFETIME = retention.hoursToConfirm * 3_600_000;

// Two at a time, each for at least 200 ms: at most ten deletions a second. Cognito allows 25 a second for
// deletions and users' own changes together, and the quota can't be raised.
const CONCURRENCY = 2;
const PAUSE = 200;

// The deletions that fit into a run at this rate, with some time to spare.
const MOST = 5_000;

const adapters = { pool: userPool, addresses };
type Dependencies = Made<typeof adapters>;

/** Deletes the accounts whose address was not confirmed within `LIFETIME` of the sign-up. */
export const sweepUnconfirmed =
  (
    dependencies: Dependencies,
    clock: () => Date = () => new Date(),
    pause: (milliseconds: number) => Promise<unknown> = wait,
  ) =>
  async (isOver: () => boolean = () => false) => {
    const due = await dueAccounts(dependencies, clock());
    let removed = 0;
    const remove = async (username: string): Promise<void> => {
      const [wasRemoved] = await Promise.all([removeIfUnconfirmed(dependencies, username), pause(PAUSE)]);
      if (wasRemoved) removed += 1;
    };
    const run = await forEachLimit(due.slice(0, MOST), { limit: CONCURRENCY, work: remove, isOver });
    const unfinished = run.outOfTime || due.length > MOST;
    finishSweep(NAME, 'unconfirmed accounts', run, { unfinished });
    return { removed, unfinished };
  };

/**
 * User names of the accounts to delete; one more than a run can delete says that more are left. All are read
 * first: AWS doesn't document whether deleting accounts of one page makes the next page skip some.
 */
async function dueAccounts({ pool }: Dependencies, now: Date): Promise<string[]> {
  const due: string[] = [];
  for await (const page of pool.unconfirmed()) {
    for (const { username, createdAt } of page) {
      if (now.getTime() - createdAt.getTime() >= LIFETIME) due.push(username);
    }
    if (due.length > MOST) break;
  }
  return due;
}

export const handler = withinTime(NAME, adapters, sweepUnconfirmed);
