import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CancelUpdateStackCommand } from '@aws-sdk/client-cloudformation';
import { lossesBetween } from '../review/losses.ts';
import { snapshotsAt } from '../review/snapshot-files.ts';
import { allowedLosses } from '../review/allowed-losses.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { RELEASED_COMMIT } from './checkout.ts';
import { describeStack, outputsOf } from './stack-state.ts';
import { type Target, targetOf } from './target.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Runs a program in a folder, and resolves with what it prints. Throws if the program fails. */
type Program = (folder: string, name: string, ...parameters: string[]) => string;

const runProgram: Program = (cwd, name, ...parameters) => {
  const isShown = name !== 'git';
  const { status, stdout } = spawnSync(name, parameters, {
    cwd,
    encoding: 'utf8',
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${name} ${parameters.join(' ')} failed.`);
  return isShown ? '' : stdout.trim();
};

/**
 * Cancels the update that runs, or deploys an earlier commit from a checkout of its own, so that nothing that
 * is open here is shipped. `given`: a tag or commit. Without it, the release before the deployed commit, or
 * where no releases are deployed its parent. Refuses if the earlier commit lacks a table, a pool or the like:
 * data can't go back.
 */
export async function rollBack(
  target: Target,
  given: string | undefined,
  { program = runProgram, say }: { program?: Program; say: (line: string) => void },
): Promise<void> {
  const { stageName, stage, stackName, cloudFormation } = target;
  if ((await describeStack(target))?.StackStatus === 'UPDATE_IN_PROGRESS') {
    await cloudFormation.send(new CancelUpdateStackCommand({ StackName: stackName }));
    say(`CloudFormation cancels the update of ${stackName}, and restores what was there before.`);
    return;
  }
  const { Commit: deployed } = await outputsOf(target);
  if (deployed === undefined) throw new Error(`The stack doesn't say which commit it has: name a tag.`);
  const release = () =>
    program(root, 'git', 'describe', '--tags', '--abbrev=0', '--match', 'v*', `${deployed}^`);
  const earlier = given ?? (stage.keepsData ? release() : `${deployed}^`);
  const commit = program(root, 'git', 'rev-parse', '--verify', '--end-of-options', `${earlier}^{commit}`);
  const [before, after] = [deployed, commit].map((each) => snapshotsAt(each)?.[stageName]);
  if (!before || !after) throw new Error(`git fetch first: ${deployed} or ${earlier} is not here.`);
  const lost = lossesBetween(before, after)
    .map(({ key }) => key)
    .filter((key) => !allowedLosses.includes(key));
  if (lost.length > 0) {
    throw new Error(
      `${earlier} is from before these, which can't go back: ${lost.join(', ')}. Revert the code alone on main, and deploy that.`,
    );
  }
  // A tag from before a deployed release was fetched together with it.
  const isReleased = program(root, 'git', 'tag', '--points-at', commit, '--merged', deployed, '--list', 'v*');
  const proof = isReleased === '' ? [] : [`${RELEASED_COMMIT}=${commit}`];
  say(`Rolls ${stageName} back from ${deployed} to ${earlier}.`);
  const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-roll-back-'));
  program(root, 'git', 'worktree', 'add', '--detach', folder, commit);
  try {
    program(folder, 'npm', 'ci', '--ignore-scripts');
    // Alarms that fire now are the reason to roll back, and must not stop it.
    const options = ['--rollback-trigger-alarm-arns', 'none', '--require-approval', 'never'];
    program(folder, 'env', ...proof, 'npm', 'run', `deploy:${stageName}`, '--', ...options);
  } finally {
    program(root, 'git', 'worktree', 'remove', '--force', folder);
  }
}

export async function run(parameters: readonly string[]): Promise<void> {
  await rollBack(targetOf(stageNameFrom(parameters)), parameters[1], { say: console.log });
}
