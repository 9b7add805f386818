import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { formatDifferences, fullDiff } from '@aws-cdk/cloudformation-diff';
import { type Loss, lossesBetween, sentenceOf } from './losses.ts';
import { rowText, type Snapshot } from './snapshot.ts';

/**
 * A stage's changes as Markdown: the changed lines of the table of functions, all other resources in the
 * words of `cdk diff`, and the stateful resources that would be lost.
 */
export function reportOf(
  stage: string,
  before: Snapshot | undefined,
  after: Snapshot,
): { lines: string[]; losses: Loss[] } {
  const title = `## ${stage}`;
  if (!before) return { lines: [title, '', 'There is no snapshot to compare with.', ''], losses: [] };
  const losses = lossesBetween(before, after);
  const lost = ['**Data would be lost:**', '', ...losses.map((loss) => `- ${sentenceOf(loss)}`), ''];
  const difference = fullDiff({ Resources: before.Resources }, { Resources: after.Resources });
  const stream = new PassThrough({ encoding: 'utf8' });
  formatDifferences(stream, difference);
  const shown = difference.isEmpty ? '' : stripVTControlCharacters(String(stream.read() ?? '')).trim();
  const rows = [
    ...rowChanges('Common to functions or alarms:', before.Common, after.Common),
    ...rowChanges('Function', before.Functions, after.Functions),
    ...rowChanges('Alarm', before.Alarms, after.Alarms),
  ];
  const all = [...rows, ...(shown === '' ? [] : [shown])];
  const changes = all.length === 0 ? ['No change.', ''] : ['```', ...all, '```', ''];
  return { losses, lines: [title, '', ...(losses.length > 0 ? lost : []), ...changes] };
}

type Rows = Record<string, object>;

/** By changed row, a title and the lines that are gone and new. */
function rowChanges(what: string, before: Rows, after: Rows): string[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return ids.flatMap((id) => {
    const [old, current] = [before, after].map((rows) => (rows[id] ? rowText(rows[id]).split('\n') : []));
    const gone = old?.filter((line) => !current?.includes(line)) ?? [];
    const added = current?.filter((line) => !old?.includes(line)) ?? [];
    if (gone.length + added.length === 0) return [];
    const sign = before[id] === undefined ? '+' : after[id] === undefined ? '-' : '~';
    return [
      `[${sign}] ${what} ${id}`,
      ...gone.map((line) => `    - ${line}`),
      ...added.map((line) => `    + ${line}`),
    ];
  });
}
