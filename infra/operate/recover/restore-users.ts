import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { cognitoUserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { addressesTable } from '../../../functions/adapters/dynamodb/addresses-table.ts';
import { asciiLowerCase } from '../../../functions/domain/ascii-lower-case.ts';
import { forEachLimit } from '../../../functions/runtime/for-each-limit.ts';
import { rateLimiter } from '../../../functions/runtime/rate-limiter.ts';
import { BackedUpUser } from '../../../schemas/rows/user-backup.ts';
import { outputsOf } from '../deploy/stack-state.ts';
import { targetOf } from '../deploy/target.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { UsageError } from '../usage-error.ts';
import { type Claims, readClaims } from './claims.ts';
import { moveAccount, type MoveDependencies } from './move-account.ts';
import { runningOf } from '../deploy/pause.ts';
import { createOrFind, type PoolDependencies } from './pool-users.ts';
import { stripeOf } from './recover-plans.ts';
import { restorable, type RestorableDependencies } from './restorable.ts';
import { tablesInUse } from '../deploy/stack-resources.ts';
import { usersSince } from './users-since.ts';

export interface UserRestoration extends PoolDependencies, MoveDependencies, RestorableDependencies {
  pool: PoolDependencies['pool'];
  users: Iterable<BackedUpUser>;
  claims: Claims;
  /** Whether to write. Without it, only says what would change. */
  isWriting: boolean;
  say: (line: string) => void;
  /** Waits for the next user's turn. */
  pace?: () => Promise<void>;
}

export interface UserRestorationOutcome {
  restored: number;
  /** Users who already have an account in the pool, with all their data. */
  there: number;
  /** Accounts that were deleted after the export. */
  deleted: number;
  /** Users with an unverified address, which may not be theirs. They sign up again. */
  unverified: number;
  /** Users that a person has to look at. */
  unclear: number;
  failed: number;
}

// Milliseconds between two users: at most ten a second. Cognito allows 25 changes of users a second, a quota
// that can't be raised, and users who reset their passwords share this quota.
const INTERVAL = 100;

/** Users at a time. A paying user takes a dozen calls, one after the other. */
const LIMIT = 8;

/**
 * Creates the users of an export in the pool, and moves their plan, address and Stripe customer from their
 * earlier `sub` to the new one. Passwords are lost, so each user sets a new password with _Forgot your
 * password?_, or signs in with a provider as before. Sends no mail. Safe to repeat: a second run finds the
 * users that are done.
 */
export async function restoreUsers(restoration: UserRestoration): Promise<UserRestorationOutcome> {
  const { users, isWriting, say, pace = rateLimiter(INTERVAL) } = restoration;
  const outcome = { restored: 0, there: 0, deleted: 0, unverified: 0, unclear: 0 };
  // The `sub` of the user who is restored under each address.
  const taken = new Map<string, string>();
  const restore = async (user: BackedUpUser): Promise<keyof typeof outcome> => {
    if (!user.email_verified || user.email === '') return 'unverified';
    const verdict = await restorable(restoration, restoration.claims, user);
    if (verdict.kind === 'unclear') say(`${user.sub}: ${verdict.reason}`);
    if (verdict.kind !== 'restore') return verdict.kind;
    const address = asciiLowerCase(verdict.user.email);
    const other = taken.get(address);
    if (other !== undefined && other !== user.sub) {
      say(`${user.sub}: ${other} has its address, too.`);
      return 'unclear';
    }
    taken.set(address, user.sub);
    if (isWriting) {
      await pace();
      await restoreOne(restoration, verdict.user);
    }
    return 'restored';
  };
  const { failures } = await forEachLimit(users, {
    limit: LIMIT,
    work: async (user) => {
      outcome[await restore(user)] += 1;
    },
  });
  for (const [{ sub }, error] of failures) {
    say(`${sub}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { restored, there, deleted, unverified, unclear } = outcome;
  say(
    `${restored} users restored, ${there} there already, ${deleted} deleted since and ${unverified} without a verified address left out, ${unclear} left to you, ${failures.size} failed.`,
  );
  say(isWriting ? 'Repeat it until none fails.' : 'Nothing was changed. Add --write to do it.');
  return { ...outcome, failed: failures.size };
}

async function restoreOne(restoration: UserRestoration, user: BackedUpUser): Promise<void> {
  const account = await createOrFind(restoration, user);
  const from = { sub: user.sub, username: user.username };
  await moveAccount(restoration, { email: user.email, from, to: account });
}

/** The users in the files `*.jsonl.gz` and `*.jsonl` of a folder. */
export function* usersIn(folder: string): Generator<BackedUpUser> {
  const files = readdirSync(folder).filter((file) => /\.jsonl(?:\.gz)?$/.test(file));
  if (files.length === 0) throw new Error(`There is no export in ${folder}.`);
  for (const file of files.toSorted()) {
    const content = readFileSync(path.join(folder, file));
    const lines = (file.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8').split('\n');
    for (const line of lines) if (line !== '') yield BackedUpUser.parse(JSON.parse(line));
  }
}

export async function run(parameters: readonly string[]): Promise<void> {
  const stageName = stageNameFrom(parameters);
  const [, folder, option] = parameters;
  if (folder === undefined || (option !== undefined && option !== '--write')) throw new UsageError();
  const isWriting = option === '--write';
  const target = targetOf(stageName);
  const running = await runningOf(target);
  if (isWriting && running.length > 0) {
    throw new Error(
      `Functions that take a missing user for a deleted account are running: ${running.join(', ')}. Run npm run ops -- pause ${stageName} first.`,
    );
  }
  // The adapters of `functions/` read this variable at their first call.
  process.env['AWS_REGION'] = target.stage.region;
  const tableOf = await tablesInUse(target);
  const { UserPoolId = '' } = await outputsOf(target);
  const tables = {
    dynamodb: DynamoDBDocumentClient.from(target.dynamodb),
    plansTable: tableOf('UserPlans'),
    addressChangesTable: tableOf('AddressChanges'),
  };
  const exported = [...usersIn(folder)];
  const claims = await readClaims({ ...tables, addressesTable: tableOf('Addresses') });
  const since = await usersSince(tables, claims, exported);
  console.log(`${exported.length} users in the export, ${since.length} other accounts in the tables.`);
  const { failed } = await restoreUsers({
    ...tables,
    addresses: addressesTable(tableOf('Addresses')),
    cognito: target.cognito,
    stripe: await stripeOf(stageName),
    stage: stageName,
    pool: cognitoUserPool(UserPoolId),
    poolId: UserPoolId,
    claims,
    users: [...exported, ...since],
    isWriting,
    say: console.log,
  });
  process.exitCode = failed > 0 ? 1 : 0;
}
