import { expect, test } from 'vitest';
import { RateLimit } from '../../vendors/stripe/rate-limit.ts';

test('a second has room for as many requests as the limit says, and refused ones don’t count', () => {
  let now = 0;
  const limit = new RateLimit(2, () => now);
  const accepted = (): boolean[] => [limit.accepts(), limit.accepts(), limit.accepts()];

  expect(accepted()).toEqual([true, true, false]);
  now = 999;
  expect(limit.accepts()).toBe(false);
  now = 1000;
  expect(accepted()).toEqual([true, true, false]);
});
