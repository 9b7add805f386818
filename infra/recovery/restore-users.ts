import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { cognitoUserPool } from '../../functions/adapters/cognito/user-pool.ts';
import { addressesTable } from '../../functions/adapters/dynamodb/addresses-table.ts';
import { asciiLowerCase } from '../../functions/domain/ascii-lower-case.ts';
import { concurrently } from '../../functions/runtime/concurrently.ts';
import { paceOf } from '../../functions/runtime/pace.ts';
import { BackedUpUser } from '../../schemas/user-backup.ts';
import { outputsOf } from '../deploy/stack-state.ts';
import { targetOf } from '../deploy/target.ts';
import { isStageName, stages } from '../stages.ts';
import { type Claims, readClaims } from './claims.ts';
import { moveAccount, type MoveDependencies } from './move-account.ts';
import { runningOf } from './pause.ts';
import { createOrFind, type PoolDependencies } from './pool-users.ts';
import { stripeOf } from './recover-plans.ts';
import { restorable, type RestorableDependencies } from './restorable.ts';
import { tablesInUse } from './stack-resources.ts';
import { usersSince } from './users-since.ts';

export interface UserRestoration extends PoolDependencies, MoveDependencies, RestorableDependencies {
  pool: PoolDependencies['pool'];
  users: Iterable<BackedUpUser>;
  claims: Claims;
  /** Without this, only says what it would do. */
  isWriting: boolean;
  say: (line: string) => void;
  /** Waits for the next user's turn. */
  pace?: () => Promise<void>;
}

export interface UserRestorationOutcome {
  restored: number;
  /** Users who have an account in the pool already, with all that is theirs. */
  there: number;
  /** Accounts that were deleted after the export. */
  deleted: number;
  /** Users whose address isn't verified: nobody may take it for theirs. They sign up again. */
  unverified: number;
  /** What a person has to look at. */
  unclear: number;
  failed: number;
}

// Milliseconds between two users: at most ten a second. Cognito allows 25 changes of users a second, a quota
// that can't be raised, and users who reset their passwords meanwhile use it too.
const INTERVAL = 100;

/** Users at a time. Of one who pays, a dozen calls come one after the other. */
const LIMIT = 8;

/**
 * Creates the users of an export in the pool, and moves what is kept under their earlier `sub` to the new
 * one: plan, address, customer at Stripe. Passwords are lost, so each user sets one by _Forgot your
 * password?_, or signs in with a provider as before. Sends no mail. Safe to repeat: users that are done are
 * found again.
 */
export async function restoreUsers(restoration: UserRestoration): Promise<UserRestorationOutcome> {
  const { users, isWriting, say, pace = paceOf(INTERVAL) } = restoration;
  const outcome = { restored: 0, there: 0, deleted: 0, unverified: 0, unclear: 0 };
  // By address: the `sub` of the user who is restored under it.
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
  const { failures } = await concurrently(users, {
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

if (import.meta.main) {
  const [stageName, folder, option] = process.argv.slice(2);
  if (!isStageName(stageName) || folder === undefined || (option !== undefined && option !== '--write')) {
    console.error(`npm run restore-users -- <${Object.keys(stages).join(' | ')}> <folder> [--write]`);
    process.exit(2);
  }
  const isWriting = option === '--write';
  try {
    const target = targetOf(stageName);
    const running = await runningOf(target);
    if (isWriting && running.length > 0) {
      throw new Error(
        `Functions that take a missing user for a deleted account are running: ${running.join(', ')}. Run npm run pause -- ${stageName} first.`,
      );
    }
    // The adapters of `functions/` read it at their first call.
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
      pool: cognitoUserPool(UserPoolId),
      poolId: UserPoolId,
      claims,
      users: [...exported, ...since],
      isWriting,
      say: console.log,
    });
    process.exitCode = failed > 0 ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
