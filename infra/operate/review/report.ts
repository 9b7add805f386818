import { fullDiff, type PropertyDifference, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { type Loss, lossesBetween, sentenceOf } from './losses.ts';
import type { Snapshot } from './snapshot.ts';

const LONGEST_VALUE = 160;

/** A stage's changes as Markdown, with the stateful resources that would be lost. */
export function reportOf(
  stage: string,
  before: Snapshot | undefined,
  after: Snapshot,
): { lines: string[]; losses: Loss[] } {
  const title = `## ${stage}`;
  if (!before) return { lines: [title, '', 'There is no snapshot to compare with.', ''], losses: [] };
  const groups: Record<string, string[]> = { Added: [], Removed: [], Replaced: [], Changed: [] };
  fullDiff({ ...before }, { ...after }).resources.forEachDifference((id, change) => {
    const type = change.newResourceType ?? change.oldResourceType;
    const properties = Object.entries(change.propertyUpdates).map(
      ([name, difference]) => `  - ${name}: ${shown(difference)}`,
    );
    const others = Object.keys(change.otherChanges).map((name) => `  - ${name}`);
    const line = `- \`${id}\` ${type}`;
    if (change.isAddition) groups['Added']?.push(line);
    else if (change.isRemoval) groups['Removed']?.push(line);
    else
      groups[isReplaced(change.changeImpact) ? 'Replaced' : 'Changed']?.push(line, ...properties, ...others);
  });
  const losses = lossesBetween(before, after);
  const isSame = Object.values(groups).every((lines) => lines.length === 0);
  return {
    losses,
    lines: [
      title,
      '',
      ...(losses.length > 0
        ? ['**Data would be lost:**', '', ...losses.map((loss) => `- ${sentenceOf(loss)}`), '']
        : []),
      ...(isSame ? ['No change.', ''] : []),
      ...Object.entries(groups).flatMap(([name, lines]) =>
        lines.length > 0 ? [`### ${name}`, '', ...lines, ''] : [],
      ),
    ],
  };
}

const isReplaced = (impact: ResourceImpact): boolean =>
  impact === ResourceImpact.WILL_REPLACE || impact === ResourceImpact.MAY_REPLACE;

const shown = ({ oldValue, newValue }: PropertyDifference<unknown>): string =>
  `${valueOf(oldValue)} → ${valueOf(newValue)}`;

function valueOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return `\`${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text}\``;
}
