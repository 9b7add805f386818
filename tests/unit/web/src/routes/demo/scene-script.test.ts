import { expect, test } from 'vitest';
import { chapters } from '../../../../../../web/src/routes/demo/chapters.ts';
import {
  answer,
  chapterAt,
  draft,
  sceneScript,
  type SceneState,
  words,
} from '../../../../../../web/src/routes/demo/scene-script.ts';

const { duration } = sceneScript;
const stillOf = (title: string): SceneState => {
  const chapter = chapters.find((one) => one.title === title);
  if (!chapter) throw new Error(`There is no chapter ${title}.`);
  return sceneScript.at(chapter.still);
};
/** A value of the scene every 10 ms. */
const courseOf = <Value>(read: (state: SceneState) => Value): Value[] =>
  Array.from({ length: duration / 10 + 1 }, (_, index) => read(sceneScript.at(index * 10)));
const changesOf = <Value>(read: (state: SceneState) => Value): Value[] =>
  courseOf(read).filter((value, index, all) => index === 0 || value !== all[index - 1]);

test('seven chapters take about forty seconds, each with its picture', () => {
  expect(chapters).toHaveLength(7);
  expect(Math.abs(duration - 40_000)).toBeLessThan(5_000);
  expect(chapters.map(({ still }) => chapterAt(still))).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('a caption can be read within its chapter, at 20 characters a second', () => {
  const tooShort = chapters.filter(
    ({ start, caption }, index) =>
      (chapters[index + 1]?.start ?? duration) - start < (caption.length / 20) * 1_000,
  );
  expect(tooShort.map(({ title }) => title)).toEqual([]);
});

test.each<[string, string, object]>([
  [
    'the whole sentence is selected before the shortcut',
    'Highlight what you are reading',
    { arrived: true, selected: words.length, overlay: { open: false } },
  ],
  [
    'the overlay opens while the keys are down',
    'Press Command+G',
    { keys: { of: 'open', shown: true, pressed: true }, overlay: { open: true, view: 'prompt' } },
  ],
  ['a command is chosen', 'Choose a command', { overlay: { view: 'commands', command: 1, contexts: 0 } }],
  ['two contexts are chosen', 'Add a context or two', { overlay: { view: 'contexts', contexts: 2 } }],
  [
    'the answer is complete',
    'Read the answer where you are',
    { overlay: { view: 'answer', answer: answer.length } },
  ],
  [
    'the draft is rewritten',
    'Have it written where you type',
    { overlay: { open: true, view: 'written' }, reply: { window: 'open', polished: true } },
  ],
  [
    'the overlay is hidden, and Send is pressed',
    'Send it',
    {
      keys: { of: 'hide' },
      pointer: 'send',
      overlay: { open: false },
      reply: { window: 'open', pressed: true },
    },
  ],
])('in a picture %s, as its chapter says', (_, title, shown) => {
  expect(stillOf(title)).toMatchObject(shown);
});

test('everything happens once, in order', () => {
  expect(changesOf(({ overlay }) => overlay.open)).toEqual([false, true, false]);
  expect(changesOf(({ overlay }) => overlay.view)).toEqual([
    'prompt',
    'commands',
    'contexts',
    'answer',
    'writing',
    'written',
  ]);
  expect(changesOf(({ overlay }) => overlay.contexts)).toEqual([0, 1, 2]);
  expect(changesOf(({ reply }) => reply.window)).toEqual(['none', 'open', 'sent']);
  expect(changesOf(({ arrived }) => arrived)).toEqual([false, true]);
});

test('the draft is typed a character per 50 ms', () => {
  const typed = courseOf(({ reply }) => reply.typed);
  const moments = Array.from({ length: draft.length }, (_, index) => typed.indexOf(index + 1) * 10);
  expect(new Set(moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0)))).toEqual(
    new Set([50]),
  );
});

test('writing takes 1.5 s, and begins while the keys are down', () => {
  const writing = courseOf(({ overlay }) => overlay.view === 'writing');
  expect(writing.filter(Boolean)).toHaveLength(150);
  const begin = writing.indexOf(true) * 10;
  expect(sceneScript.at(begin)).toMatchObject({
    keys: { of: 'open', shown: true, pressed: true },
    reply: { typed: draft.length, polished: false },
  });
});
