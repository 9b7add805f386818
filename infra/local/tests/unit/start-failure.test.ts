import { expect, test } from 'vitest';
import { isForPerson, sentenceOf, StartFailure } from '../../base/start-failure.ts';

test.each([
  ['Node', 'ENOSPC: no space left on device, write'],
  ['Rust', 'No space left on device (os error 28)'],
  ['a quota', 'EDQUOT: disk quota exceeded, open'],
  ['SQLite', 'database or disk is full'],
  ['the synthesis', 'The stack could not be synthesized: ENOSPC: no space left on device, mkdir'],
])('a full disk is one sentence, as told by %s', (_, message) => {
  const error = new Error(message);
  expect(sentenceOf(error)).toBe('The disk is full: free some space, and start again.');
  expect(sentenceOf(new Error(sentenceOf(error)))).toBe(sentenceOf(error));
  expect(isForPerson(error)).toBe(true);
});

test('other errors keep their messages, and need a stack trace unless they are for the person', () => {
  const watch = new Error('ENOSPC: System limit for number of file watchers reached, watch');
  expect([sentenceOf(watch), isForPerson(watch)]).toEqual([watch.message, false]);
  expect(isForPerson(new StartFailure('Port 3000 is taken.'))).toBe(true);
});
