import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import {
  type BackedUpUser,
  USER_EXPORT_PARTS,
  userExportPart,
  userExportState,
  UserExportState,
} from '../../schemas/rows/user-backup.ts';
import { cognitoUserList, type UserList } from '../adapters/cognito/user-list.ts';
import { bucketObjects, type Objects } from '../adapters/s3/objects.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { rateLimiter } from '../runtime/rate-limiter.ts';
import { withinTime } from '../runtime/time-budget.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const NAME = 'schedules/user-export';

// Milliseconds between the starts of two pages of sixty users. Cognito allows thirty calls of ListUsers a
// second, a quota that can't be raised, and triggers and sweeps use it too.
const INTERVAL = 100;

const compress = promisify(gzip);

interface Dependencies {
  /** The exported pool. */
  poolId: string;
  users: UserList;
  backups: Objects;
}

export interface UserExportOutcome {
  /** Users in the day's export so far. */
  users: number;
  /** Whether time ran out. The next run continues with the next part. */
  unfinished: boolean;
}

/**
 * Stores all users of the pool once a day, since Cognito has no backup. The first run of a day (UTC) begins
 * the export, each later run continues it, and a run does nothing once the day's export is complete. A part
 * that is unfinished when time runs out is read again. Each pool has its own exports: those of a new, empty
 * pool don't replace those of an earlier pool.
 */
export const exportUsers =
  (
    dependencies: Dependencies,
    clock: () => Date = () => new Date(),
    pace: () => Promise<void> = rateLimiter(INTERVAL),
  ) =>
  async (isOver: () => boolean = () => false): Promise<UserExportOutcome> => {
    const now = clock();
    const before = await readState(dependencies);
    let state = stateOf(before, now);
    try {
      await pace();
      while (state.parts < USER_EXPORT_PARTS.length) {
        const users = await storePart(dependencies, state, { isOver, pace });
        if (users === undefined) break;
        const parts = state.parts + 1;
        const isComplete = parts === USER_EXPORT_PARTS.length;
        state = {
          ...state,
          parts,
          users: state.users + users,
          ...(isComplete && { complete_as_of: state.began_at }),
        };
        await writeState(dependencies, state);
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

async function readState({ backups, poolId }: Dependencies): Promise<UserExportState | undefined> {
  const stored = await backups.get(userExportState(poolId));
  return stored && UserExportState.parse(JSON.parse(Buffer.from(stored).toString()));
}

const writeState = ({ backups, poolId }: Dependencies, state: UserExportState): Promise<void> =>
  backups.put(userExportState(poolId), Buffer.from(JSON.stringify(state)));

function stateOf(before: UserExportState | undefined, now: Date): UserExportState {
  const at = now.toISOString();
  const day = at.slice(0, 10);
  if (before?.day === day) return before;
  return { day, began_at: at, parts: 0, users: 0, complete_as_of: before?.complete_as_of ?? at };
}

/** Resolves with the number of users in the part; undefined if time ran out, and then nothing is stored. */
async function storePart(
  { users, backups, poolId }: Dependencies,
  { day, parts }: UserExportState,
  { isOver, pace }: { isOver: () => boolean; pace: () => Promise<void> },
): Promise<number | undefined> {
  const digits = USER_EXPORT_PARTS[parts] ?? '';
  const lines: string[] = [];
  if (isOver()) return undefined;
  for await (const page of users.beginningWith(digits)) {
    lines.push(...page.map((user: BackedUpUser) => `${JSON.stringify(user)}\n`));
    if (isOver()) return undefined;
    // The pause before the next page, or before the first page of the next part.
    await pace();
  }
  await backups.put(userExportPart(poolId, day, digits), await compress(lines.join('')));
  return lines.length;
}

export const handler = withEnvironment(backgroundFunctions[NAME], (environment) =>
  withinTime(
    exportUsers({
      poolId: environment.USER_POOL_ID,
      users: cognitoUserList(environment.USER_POOL_ID),
      backups: bucketObjects(environment.BACKUP_BUCKET, environment.BACKUP_ACCOUNT),
    }),
  ),
);
