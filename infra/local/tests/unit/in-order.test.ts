import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inOrder } from '../../base/in-order.ts';

test('values are handed on in their order, and at once where none is awaited', async () => {
  const taken: number[] = [];
  const take = inOrder((value: number) => taken.push(value));
  take(1);
  expect(taken).toEqual([1]);
  take(delay(20).then(() => 2));
  take(3);
  take(Promise.resolve(4));
  expect(taken).toEqual([1]);
  await delay(60);
  expect(taken).toEqual([1, 2, 3, 4]);
  take(5);
  expect(taken).toEqual([1, 2, 3, 4, 5]);
});
