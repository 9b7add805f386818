import { expect, test } from 'vitest';
import { testKey } from '../../contract/test-key.ts';

test.each(['sk_live_51abc', 'rk_live_51abc', 'pk_test_51abc', 'whsec_abc', 'sk_test'])(
  'the key %s is refused before anything is sent',
  (STRIPE_SECRET_KEY) => {
    expect(() => testKey({ STRIPE_SECRET_KEY })).toThrow(/not a test key .* nothing was sent/);
  },
);

test('a test key chooses Stripe’s test mode, and no key the stand-in', () => {
  expect(testKey({ STRIPE_SECRET_KEY: 'sk_test_51abc' })).toBe('sk_test_51abc');
  expect(testKey({ STRIPE_SECRET_KEY: '' })).toBeUndefined();
  expect(testKey({})).toBeUndefined();
});
