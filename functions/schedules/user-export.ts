import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/environment.ts';
import {
  type BackedUpUser,
  USER_EXPORT_PARTS,
  USER_EXPORT_STATE,
  userExportPart,
  UserExportState,
} from '../../schemas/user-backup.ts';
import { cognitoUserList, type UserList } from '../adapters/cognito/user-list.ts';
import { bucketObjects, type Objects } from '../adapters/s3/objects.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { isOutOfTime } from '../runtime/time-budget.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const NAME = 'schedules/user-export';

// Milliseconds. At most ten pages a second, of sixty users: Cognito allows thirty of ListUsers a second, a
// quota that can't be raised, and triggers and sweeps use it too.
const PAUSE = 100;

const compress = promisify(gzip);

interface Dependencies {
  users: UserList;
  backups: Objects;
}

export interface UserExportOutcome {
  /** Users in the day's export so far. */
  users: number;
  /** Whether time ran out. The next run goes on with the next part. */
  unfinished: boolean;
}

/**
 * Stores all users of the pool once a day, since Cognito has no backup. The first run of a day (UTC) begins,
 * each run goes on where the one before has ended, and a run does nothing once the day's export is complete.
 * A part that isn't done when time runs out is read again.
 */
export const exportUsers =
  (
    dependencies: Dependencies,
    clock: () => Date = () => new Date(),
    pause: (milliseconds: number) => Promise<unknown> = wait,
  ) =>
  async (isOver: () => boolean = () => false): Promise<UserExportOutcome> => {
    const now = clock();
    const before = await readState(dependencies.backups);
    let state = stateOf(before, now);
    try {
      while (state.parts < USER_EXPORT_PARTS.length) {
        const users = await storePart(dependencies, state, { isOver, pause });
        if (users === undefined) break;
        const parts = state.parts + 1;
        const isComplete = parts === USER_EXPORT_PARTS.length;
        state = {
          ...state,
          parts,
          users: state.users + users,
          ...(isComplete && { complete_as_of: state.began_at }),
        };
        await dependencies.backups.put(USER_EXPORT_STATE, Buffer.from(JSON.stringify(state)));
      }
    } finally {
      metric('UserExportAge', (now.getTime() - Date.parse(state.complete_as_of)) / 1000);
    }
    const unfinished = state.parts < USER_EXPORT_PARTS.length;
    const isSame = before?.day === state.day && before.parts === state.parts;
    const done = isSame ? 0 : state.users;
    log.info('sweep-finished', { sweep: NAME, done, failures: 0, unreadShards: 0, unfinished });
    return { users: state.users, unfinished };
  };

async function readState(backups: Objects): Promise<UserExportState | undefined> {
  const stored = await backups.get(USER_EXPORT_STATE);
  return stored && UserExportState.parse(JSON.parse(stored.toString()));
}

function stateOf(before: UserExportState | undefined, now: Date): UserExportState {
  const at = now.toISOString();
  const day = at.slice(0, 10);
  if (before?.day === day) return before;
  return { day, began_at: at, parts: 0, users: 0, complete_as_of: before?.complete_as_of ?? at };
}

/** Resolves with the number of users in the part; undefined, and nothing is stored, if time ran out. */
async function storePart(
  { users, backups }: Dependencies,
  { day, parts }: UserExportState,
  { isOver, pause }: { isOver: () => boolean; pause: (milliseconds: number) => Promise<unknown> },
): Promise<number | undefined> {
  const digit = USER_EXPORT_PARTS.charAt(parts);
  const lines: string[] = [];
  if (isOver()) return undefined;
  for await (const page of users.beginningWith(digit)) {
    lines.push(...page.map((user: BackedUpUser) => `${JSON.stringify(user)}\n`));
    if (isOver()) return undefined;
    await pause(PAUSE);
  }
  await backups.put(userExportPart(day, digit), await compress(lines.join('')));
  return lines.length;
}

export const handler = withEnvironment(backgroundFunctions[NAME], (environment) => {
  const run = exportUsers({
    users: cognitoUserList(environment.USER_POOL_ID),
    backups: bucketObjects(environment.BACKUP_BUCKET),
  });
  return (_: unknown, context: Context): Promise<UserExportOutcome> => run(isOutOfTime(context));
});
