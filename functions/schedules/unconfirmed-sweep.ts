import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/environment.ts';
import { retention } from '../../schemas/retention.ts';
import type { AddressDependencies } from '../accounts/claim-address.ts';
import { removeIfUnconfirmed } from '../accounts/remove-unconfirmed.ts';
import { cognitoUserPool, type UserPool } from '../adapters/cognito/user-pool.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { concurrently } from '../runtime/concurrently.ts';
import { log } from '../runtime/log.ts';
import { isOutOfTime } from '../runtime/time-budget.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const NAME = 'schedules/unconfirmed-sweep';

// Milliseconds. A sign-up code is good for 24 hours, and the user can ask for another.
const LIFETIME = retention.hoursToConfirm * 3_600_000;

// Two at a time, each for at least 200 ms: at most ten deletions a second. Cognito allows 25 a second of them
// and of changes by users together, and the quota can't be raised.
const CONCURRENCY = 2;
const PAUSE = 200;

// What a run can delete at this pace, with some time to spare. Also at most 84 pages of ListUsers.
const MOST = 5_000;

interface Dependencies extends AddressDependencies {
  pool: AddressDependencies['pool'] & Pick<UserPool, 'unconfirmed'>;
}

export interface UnconfirmedSweepOutcome {
  removed: number;
  /** Whether there was more to do. The next sweep finds it. */
  unfinished: boolean;
}

/**
 * Deletes the accounts whose address was not confirmed within 48 hours of the sign-up. Its cost follows the
 * number of unconfirmed accounts. An account that has been confirmed meanwhile stays. Failures are tried once
 * more, and are thrown when all other accounts are done.
 */
export const sweepUnconfirmed =
  (
    dependencies: Dependencies,
    clock: () => Date = () => new Date(),
    pause: (milliseconds: number) => Promise<unknown> = wait,
  ) =>
  async (isOver: () => boolean = () => false): Promise<UnconfirmedSweepOutcome> => {
    const due = await dueAccounts(dependencies, clock());
    let removed = 0;
    const remove = async (username: string): Promise<void> => {
      const [wasRemoved] = await Promise.all([removeIfUnconfirmed(dependencies, username), pause(PAUSE)]);
      if (wasRemoved) removed += 1;
    };
    const { done, failures, outOfTime } = await concurrently(due.slice(0, MOST), {
      limit: CONCURRENCY,
      work: remove,
      isOver,
    });
    const unfinished = outOfTime || due.length > MOST;
    log.info('sweep-finished', {
      sweep: NAME,
      done,
      failures: failures.size,
      unreadShards: 0,
      unfinished,
    });
    const [first] = failures.values();
    if (failures.size > 0) {
      throw new Error(`${failures.size} unconfirmed accounts are left for the next sweep: ${String(first)}`);
    }
    return { removed, unfinished };
  };

/**
 * User names, at least one more than a run deletes if there are more. Read before anything is deleted: the
 * documents don't say whether a page can be skipped while accounts of the page before are deleted.
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

export const handler = withEnvironment(backgroundFunctions[NAME], (environment) => {
  const sweep = sweepUnconfirmed({
    pool: cognitoUserPool(environment.USER_POOL_ID),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
  });
  return (_: unknown, context: Context): Promise<UnconfirmedSweepOutcome> => sweep(isOutOfTime(context));
});
