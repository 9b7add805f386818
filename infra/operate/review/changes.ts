import { appendFileSync } from 'node:fs';
import { type StageName, stages } from '../../stages/stages.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { UsageError } from '../usage-error.ts';
import { allowedLosses } from './allowed-losses.ts';
import { deployedCommit } from './deployed-commit.ts';
import { reportOf } from './report.ts';
import { currentSnapshots, isCommit, snapshotsAt } from './snapshot-files.ts';

/**
 * `npm run ops -- changes <commit or branch>`: the working tree's changes to the templates of both stages, as
 * Markdown. Compares the snapshots, which tests keep equal to the synthesized templates. Fails if a stateful
 * resource would be lost without being named in `allowed-losses.ts`.
 *
 * `npm run ops -- changes --deployed <stage>`, in a workflow: the same for one stage, since the commit that
 * was last deployed to it.
 */
export async function run([first, second]: readonly string[]): Promise<void> {
  if (first === undefined) throw new UsageError('Name what to compare with, such as origin/main.');
  if (first !== '--deployed') {
    compare(first, Object.keys(stages) as StageName[]);
    return;
  }
  const stage = stageNameFrom([second ?? '']);
  const commit = await deployedCommit(stage, process.env);
  if (commit === undefined)
    console.log(`No workflow has deployed ${stage} yet: there is nothing to compare.`);
  else compare(commit, [stage]);
}

function compare(reference: string, compared: readonly StageName[]): void {
  if (!isCommit(reference)) throw new UsageError(`There is no commit ${reference} here.`);
  const before = snapshotsAt(reference);
  const after = currentSnapshots();
  const report = [`# What changes in the templates since ${reference}`, ''];
  for (const stage of compared) {
    const { lines, losses } = reportOf(stage, before?.[stage], after[stage]);
    report.push(...lines);
    if (losses.some(({ key }) => !allowedLosses.includes(key))) process.exitCode = 1;
  }
  const text = `${report.join('\n')}\n`;
  console.log(text);
  // GitHub shows this file on the page of the run.
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary) appendFileSync(summary, text);
}
