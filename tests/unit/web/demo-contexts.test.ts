import { expect, test } from 'vitest';
import {
  combinationOf,
  combinations,
  type ContextId,
  contexts,
  contextScript,
  versionOf,
} from '../../../web/src/routes/landing/demos/context-script.ts';

// The bits of a number from 0 to 7 are the chosen contexts.
const choices = Array.from({ length: 8 }, (_, bits) =>
  contexts.map(({ id }) => id).filter((_id, index) => bits & (1 << index)),
);
const versionFor = (chosen: readonly ContextId[]) => versionOf(combinationOf(new Set(chosen)));

test('the three contexts are called Comedic, Detail and Deep', () => {
  expect(contexts.map(({ id, label }) => [id, label])).toEqual([
    ['funny', 'Comedic'],
    ['detailed', 'Detail'],
    ['philosopher', 'Deep'],
  ]);
});

test.each(choices.map((chosen) => [chosen.join(' and ') || 'none', chosen] as const))(
  'there is a title and a text for %s',
  (_name, chosen) => {
    const { title, text } = versionFor(chosen);
    expect(title).not.toBe('');
    expect(text).toMatch(/Friday/);
    // With Detail, the text says at what time the order comes.
    expect(text.includes('between nine and one')).toBe(chosen.includes('detailed'));
  },
);

test('the eight combinations all have different texts, and there is no ninth', () => {
  expect(new Set(choices.map((chosen) => versionFor(chosen).title)).size).toBe(8);
  expect(new Set(choices.map((chosen) => versionFor(chosen).text)).size).toBe(8);
  expect(combinations).toHaveLength(8);
});

test('the order in which contexts are chosen makes no difference', () => {
  expect(combinationOf(new Set(['philosopher', 'funny']))).toBe(
    combinationOf(new Set(['funny', 'philosopher'])),
  );
});

test('a round shows every combination, begins and ends with a choice, and changes one context at a time', () => {
  const shown: (readonly ContextId[])[] = [];
  for (let moment = 0; moment <= contextScript.duration; moment += 10) {
    const { chosen } = contextScript.at(moment);
    if (chosen !== shown.at(-1)) shown.push(chosen);
  }
  expect(shown.map((chosen) => combinationOf(new Set(chosen))).toSorted()).toEqual(combinations.toSorted());
  expect([shown.at(0), shown.at(-1)]).toEqual([['funny'], ['funny', 'detailed']]);
  for (const [index, chosen] of shown.entries()) {
    const before = new Set(shown.at(index - 1));
    const changed = contexts.filter(({ id }) => before.has(id) !== chosen.includes(id));
    expect(changed).toHaveLength(1);
  }
});
