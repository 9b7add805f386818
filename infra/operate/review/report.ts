import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { formatDifferences, fullDiff } from '@aws-cdk/cloudformation-diff';
import { type Loss, lossesBetween, sentenceOf } from './losses.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * A stage's changes as Markdown, in the words of `cdk diff`, with the stateful resources that would be lost.
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
  const difference = fullDiff({ ...before }, { ...after });
  const stream = new PassThrough({ encoding: 'utf8' });
  formatDifferences(stream, difference);
  const shown = String(stream.read() ?? '');
  const changes = difference.isEmpty
    ? ['No change.', '']
    : ['```', stripVTControlCharacters(shown).trim(), '```', ''];
  return { losses, lines: [title, '', ...(losses.length > 0 ? lost : []), ...changes] };
}
