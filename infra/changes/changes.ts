import { appendFileSync } from 'node:fs';
import { sentenceOf } from '../deploy/sentence-of.ts';
import { isStageName, type StageName, stages } from '../stages.ts';
import { allowedLosses } from './allowed-losses.ts';
import { deployedCommit } from './deployed-commit.ts';
import { reportOf } from './report.ts';
import { currentSnapshots, isCommit, snapshotsAt } from './snapshot-files.ts';

/**
 * `npm run changes -- <commit or branch>`: what the working tree changes in the templates of both stages, as
 * Markdown. It compares the snapshots, which the tests hold to the synthesised templates. Fails if a stateful
 * resource would be lost without being named in `allowed-losses.ts`.
 *
 * `npm run changes -- --deployed <stage>`, in a workflow: the same for one stage, since the commit that was
 * last deployed to it.
 */
const [first, second] = process.argv.slice(2);
const usage = (): never => {
  console.error('Name what to compare with: npm run changes -- origin/main');
  process.exit(2);
};

if (first === undefined) usage();
else if (first !== '--deployed') compare(first, Object.keys(stages) as StageName[]);
else if (isStageName(second)) await compareWithDeployed(second);
else usage();

async function compareWithDeployed(stage: StageName): Promise<void> {
  try {
    const commit = await deployedCommit(stage, process.env);
    if (commit === undefined) console.log(`No workflow has deployed ${stage} yet: nothing is compared.`);
    else compare(commit, [stage]);
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = 1;
  }
}

function compare(reference: string, compared: readonly StageName[]): void {
  if (!isCommit(reference)) {
    console.error(`There is no commit ${reference} here.`);
    process.exit(2);
  }
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
  // GitHub shows what is in this file on the page of the run.
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary) appendFileSync(summary, text);
}
