import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { outputsOf } from '../deploy/stack-state.ts';
import { targetOf } from '../deploy/target.ts';
import { isStageName, stages } from '../stages.ts';
import { BackedUpUser } from '../../schemas/user-backup.ts';
import { type Move, moveAccount, type MoveDependencies } from './move-account.ts';
import { runningOf } from './pause.ts';
import { createOrFind, type PoolDependencies } from './pool-users.ts';
import { stripeOf } from './recover-plans.ts';
import { tablesInUse } from './stack-resources.ts';
import { usersSince } from './users-since.ts';

export interface UserRestoration extends PoolDependencies, MoveDependencies {
  users: Iterable<BackedUpUser>;
  /** Without this, only says what it would do. */
  isWriting: boolean;
  say: (line: string) => void;
  pause?: (milliseconds: number) => Promise<unknown>;
}

export interface UserRestorationOutcome {
  restored: number;
  /** Users whose address isn't verified: nobody may take it for theirs. They sign up again. */
  unverified: number;
  failed: number;
}

// Milliseconds for each user: at most ten a second. Cognito allows 25 changes of users a second, a quota that
// can't be raised, and users who reset their passwords meanwhile use it too.
const PAUSE = 100;

/**
 * Creates the users of an export in the pool, and moves what is kept under their earlier `sub` to the new
 * one: plan, address, customer at Stripe. Passwords are lost, so each user sets one by _Forgot your
 * password?_, or signs in with a provider as before. Sends no mail. Safe to repeat: users that are done are
 * found again.
 */
export async function restoreUsers(restoration: UserRestoration): Promise<UserRestorationOutcome> {
  const { users, isWriting, say, pause = wait } = restoration;
  const outcome: UserRestorationOutcome = { restored: 0, unverified: 0, failed: 0 };
  for (const user of users) {
    if (!user.email_verified || user.email === '') {
      outcome.unverified += 1;
      continue;
    }
    if (!isWriting) {
      outcome.restored += 1;
      continue;
    }
    try {
      const [account] = await Promise.all([createOrFind(restoration, user), pause(PAUSE)]);
      const move: Move = {
        email: user.email,
        from: { sub: user.sub, username: user.username },
        to: account,
      };
      await moveAccount(restoration, move);
      outcome.restored += 1;
    } catch (error) {
      outcome.failed += 1;
      say(`${user.sub}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const { restored, unverified, failed } = outcome;
  say(`${restored} users restored, ${unverified} without a verified address left out, ${failed} failed.`);
  say(isWriting ? 'Repeat it until none fails.' : 'Nothing was changed. Add --write to do it.');
  return outcome;
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
    const tableOf = await tablesInUse(target);
    const { UserPoolId = '' } = await outputsOf(target);
    const tables = {
      dynamodb: DynamoDBDocumentClient.from(target.dynamodb),
      plansTable: tableOf('UserPlans'),
      addressesTable: tableOf('Addresses'),
    };
    const exported = [...usersIn(folder)];
    const since = await usersSince(tables, exported);
    console.log(`${exported.length} users in the export, ${since.length} made since.`);
    const { failed } = await restoreUsers({
      ...tables,
      cognito: target.cognito,
      stripe: await stripeOf(target),
      poolId: UserPoolId,
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
