import { expect, test } from 'vitest';
import { rateLimiter } from '../../../../functions/runtime/rate-limiter.ts';

test('callers go on at least an interval apart, and what they do meanwhile counts', async () => {
  let now = 5_000;
  const pauses: number[] = [];
  const pace = rateLimiter(
    100,
    async (milliseconds) => void pauses.push(milliseconds),
    () => now,
  );
  await Promise.all([pace(), pace(), pace()]);
  expect(pauses).toEqual([100, 200]);
  now += 230;
  await pace();
  expect(pauses).toEqual([100, 200, 70]);
  now += 1_000;
  await pace();
  expect(pauses).toEqual([100, 200, 70]);
});
