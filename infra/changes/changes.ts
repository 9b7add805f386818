import { appendFileSync } from 'node:fs';
import { type StageName, stages } from '../stages.ts';
import { allowedLosses } from './allowed-losses.ts';
import { reportOf } from './report.ts';
import { currentSnapshots, isCommit, snapshotsAt } from './snapshot-files.ts';

/**
 * `npm run changes -- <commit or branch>`: what the working tree changes in the templates of both stages, as
 * Markdown. It compares the snapshots, which the tests hold to the synthesised templates. Fails if a stateful
 * resource would be lost without being named in `allowed-losses.ts`.
 */
const reference = process.argv[2];
if (reference === undefined) {
  console.error('Name what to compare with: npm run changes -- origin/main');
  process.exit(2);
}
if (!isCommit(reference)) {
  console.error(`There is no commit ${reference} here.`);
  process.exit(2);
}
const before = snapshotsAt(reference);
const after = currentSnapshots();
const report = [`# What changes in the templates since ${reference}`, ''];
for (const stage of Object.keys(stages) as StageName[]) {
  const { lines, losses } = reportOf(stage, before?.[stage], after[stage]);
  report.push(...lines);
  if (losses.some(({ key }) => !allowedLosses.includes(key))) process.exitCode = 1;
}
const text = `${report.join('\n')}\n`;
console.log(text);
// GitHub shows what is in this file on the page of the run.
const summary = process.env['GITHUB_STEP_SUMMARY'];
if (summary) appendFileSync(summary, text);
