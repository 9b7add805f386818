import { expect, test } from 'vitest';
import { testKey } from '../../contract/test-key.ts';

test.each(['sk_live_51abc', 'rk_live_51abc', 'rkcs_live_51abc', 'pk_test_51abc', 'whsec_abc', 'sk_test'])(
  'the key %s is refused before anything is sent',
  (STRIPE_SECRET_KEY) => {
    expect(() => testKey({ STRIPE_SECRET_KEY })).toThrow(/not a test key .* nothing was sent/);
  },
);

test('a test key, or one of a sandbox, chooses Stripe’s test mode, and no key the stand-in', () => {
  for (const STRIPE_SECRET_KEY of ['sk_test_51abc', 'rkcs_test_51abc']) {
    expect(testKey({ STRIPE_SECRET_KEY })).toBe(STRIPE_SECRET_KEY);
  }
  expect(testKey({ STRIPE_SECRET_KEY: '' })).toBeUndefined();
  expect(testKey({})).toBeUndefined();
});
