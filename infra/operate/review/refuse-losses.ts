import { type StageName, stages } from '../../stages/stages.ts';
import { outputsOf } from '../deploy/stack-state.ts';
import { targetOf } from '../deploy/target.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { UsageError } from '../usage-error.ts';
import { allowedLosses } from './allowed-losses.ts';
import { lossesBetween, sentenceOf } from './losses.ts';
import { currentSnapshots, isCommit, snapshotsAt } from './snapshot-files.ts';

/**
 * `npm run ops -- losses <commit or branch>`: fails if a stateful resource of that commit would be lost
 * without being named in `allowed-losses.ts`. Compares the snapshots, which tests keep equal to the
 * synthesized templates; their differences show what else changes.
 *
 * `npm run ops -- losses --deployed <stage>`: the same for one stage, since the commit that its stack has.
 */
export async function run(
  parameters: readonly string[],
  outputs = (stage: StageName) => outputsOf(targetOf(stage)),
): Promise<void> {
  const { reference, stage } = parseComparison(parameters);
  if (stage === undefined) {
    refuseLosses(reference, Object.keys(stages) as StageName[]);
    return;
  }
  const { Commit: commit } = await outputs(stage);
  if (commit === undefined) console.log(`Nothing is deployed to ${stage} yet: nothing can be lost.`);
  else refuseLosses(commit, [stage]);
}

/** The commit to compare with, or the stage whose deployed commit is meant. */
export function parseComparison([first, second, ...rest]: readonly string[]) {
  if (first === undefined) throw new UsageError('Name what to compare with, such as origin/main.');
  if (rest.length > 0 || (second !== undefined && first !== '--deployed')) throw new UsageError();
  return { reference: first, stage: first === '--deployed' ? stageNameFrom([second ?? '']) : undefined };
}

function refuseLosses(reference: string, compared: readonly StageName[]): void {
  if (!isCommit(reference)) throw new UsageError(`There is no commit ${reference} here.`);
  const before = snapshotsAt(reference);
  const after = currentSnapshots();
  const losses = compared
    .flatMap((stage) => (before ? lossesBetween(before[stage], after[stage]) : []))
    .filter(({ key }) => !allowedLosses.includes(key));
  for (const sentence of new Set(losses.map(sentenceOf))) console.error(sentence);
  if (losses.length > 0) process.exitCode = 1;
  else console.log(`Nothing is lost since ${reference}.`);
}
