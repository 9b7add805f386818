import { describe, expect, test } from 'vitest';
import { analyzeScript, sentences } from '../../../../../../web/src/routes/landing/demos/analyze-script.ts';
import { closingScript } from '../../../../../../web/src/routes/landing/demos/closing-script.ts';
import {
  commands,
  commandScript,
  triedAt,
  writtenAt,
} from '../../../../../../web/src/routes/landing/demos/command-script.ts';
import { overlayScript } from '../../../../../../web/src/routes/landing/demos/overlay-script.ts';
import { PRESSED, writeScript } from '../../../../../../web/src/routes/landing/demos/write-script.ts';

/** Every state of a script with the time at which it begins, to 10 ms. */
function changes<State>(script: { duration: number; at(milliseconds: number): State }): [number, State][] {
  const found: [number, State][] = [];
  for (let moment = 0; moment <= script.duration; moment += 10) {
    const state = script.at(moment);
    if (JSON.stringify(state) !== JSON.stringify(found.at(-1)?.[1])) found.push([moment, state]);
  }
  return found;
}

test('the overlay moves every 3 s to words that were selected before, with the keys down, and ends as it begins', () => {
  const round = changes(overlayScript);
  const moves = round.filter(([, { place }], index) => index === 0 || place !== round[index - 1]?.[1].place);
  expect(moves.map(([moment, { place, selected }]) => [moment, place, selected])).toEqual([
    [0, 0, 0],
    [3_000, 1, 1],
    [6_000, 2, 2],
    [9_000, 0, 0],
  ]);
  for (const [moment, { place }] of moves.slice(1)) {
    expect(overlayScript.at(moment - 10)).toMatchObject({ selected: place });
  }
  expect(overlayScript.at(overlayScript.duration)).toEqual(overlayScript.at(0));
});

test('Write Mode writes for 1.5 s between the draft and the polished text', () => {
  expect(changes(writeScript)).toEqual([
    [0, { step: 'rough' }],
    [PRESSED, { step: 'writing' }],
    [PRESSED + 1_500, { step: 'polished' }],
  ]);
});

test('the two commands are written, tried and read in turn, and the round ends with the second', () => {
  for (const [command, { description }] of commands.entries()) {
    const written = { command, typed: description.length };
    expect(commandScript.at(writtenAt(command))).toEqual({ command, typed: 0, tried: false });
    expect(commandScript.at(triedAt(command) - 10)).toEqual({ ...written, tried: false });
    expect(commandScript.at(triedAt(command))).toEqual({ ...written, tried: true });
  }
  expect(commandScript.at(commandScript.duration)).toMatchObject({ command: 1, tried: true });
});

test('the closing words end up selected', () => {
  expect(changes(closingScript).map(([, { selected }]) => selected)).toEqual([false, true]);
  expect(closingScript.at(closingScript.duration)).toEqual({ selected: true });
});

describe('the analysis', () => {
  /** The times at which the characters of a text appear. */
  const moments = (sentence: number, what: 'question' | 'answer'): number[] => {
    const found: number[] = [];
    for (let moment = 0; moment <= analyzeScript.duration; moment += 10) {
      const count = analyzeScript.at(moment).typed[2 * sentence + Number(what === 'answer')] ?? 0;
      while (found.length < count) found.push(moment);
    }
    return found;
  };

  test.each([
    [0, 'question'],
    [0, 'answer'],
    [1, 'question'],
    [1, 'answer'],
  ] as const)('types a character per 50 ms: sentence %i, %s', (sentence, what) => {
    const typed = moments(sentence, what);
    expect(typed).toHaveLength(sentences[sentence]?.[what].length ?? 0);
    const steps = typed.slice(1).map((moment, index) => moment - (typed[index] ?? 0));
    expect(new Set(steps)).toEqual(new Set([50]));
  });

  test('answers a question once it is typed, and goes on to the next sentence after the answer', () => {
    const [first, second] = [moments(0, 'question'), moments(0, 'answer')];
    const third = moments(1, 'question');
    expect(Number(second[0])).toBeGreaterThan(Number(first.at(-1)));
    expect(Number(third[0])).toBeGreaterThan(Number(second.at(-1)));
    expect(analyzeScript.at(Number(second.at(-1))).sentence).toBe(0);
    expect(analyzeScript.at(Number(third[0])).sentence).toBe(1);
  });

  test('begins with nothing typed and the first sentence selected, and ends with everything typed', () => {
    expect(analyzeScript.at(0)).toEqual({ sentence: 0, typed: [0, 0, 0, 0] });
    expect(analyzeScript.at(analyzeScript.duration)).toEqual({
      sentence: 1,
      typed: sentences.flatMap(({ question, answer }) => [question.length, answer.length]),
    });
  });
});
