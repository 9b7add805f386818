import { expect, test } from 'vitest';
import {
  contexts,
  contextScript,
  isChosen,
  versions,
} from '../../../../../../web/src/routes/landing/demos/context-script.ts';

const labelsOf = (choice: number) =>
  contexts.filter((_context, index) => isChosen(choice, index)).map(({ label }) => label);

test('the eight combinations all have different titles and texts, and there is no ninth', () => {
  expect(versions).toHaveLength(8);
  expect(new Set(versions.map(({ title }) => title)).size).toBe(8);
  expect(new Set(versions.map(({ text }) => text)).size).toBe(8);
});

test.each(versions.map((version, choice) => [labelsOf(choice).join(' and ') || 'none', version] as const))(
  'the text for %s says when the order comes, and with Detail at what time',
  (labels, { title, text }) => {
    expect(title).not.toBe('');
    expect(text).toMatch(/Friday.*refund/);
    expect(text.includes('between nine and one')).toBe(labels.includes('Detail'));
  },
);

test('a round shows every combination, begins and ends with a choice, and changes one context at a time', () => {
  const shown: number[] = [];
  for (let moment = 0; moment <= contextScript.duration; moment += 10) {
    const { choice } = contextScript.at(moment);
    if (choice !== shown.at(-1)) shown.push(choice);
  }
  expect(shown.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect([shown.at(0), shown.at(-1)].map((choice) => labelsOf(choice ?? 0))).toEqual([
    ['Comedic'],
    ['Comedic', 'Detail'],
  ]);
  for (const [index, choice] of shown.entries()) {
    const before = shown.at(index - 1) ?? 0;
    const changed = contexts.filter((_context, bit) => isChosen(before, bit) !== isChosen(choice, bit));
    expect(changed).toHaveLength(1);
  }
});
