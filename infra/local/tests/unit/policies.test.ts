import { expect, test } from 'vitest';
import { forDevelopment, overHttp } from '../../aws/cloudfront/content-security-policy.ts';
import { stripeKeysOf } from '../../vendors/stripe-test-mode.ts';
import { TokenBucket } from '../../aws/http-api/token-bucket.ts';

test('a page on plain HTTP does not force its requests to HTTPS', () => {
  expect(overHttp("default-src 'self'; upgrade-insecure-requests; block-all-mixed-content")).toBe(
    "default-src 'self'",
  );
});

test('in development inline scripts run, without the hashes and nonces that would forbid them', () => {
  const policy = forDevelopment(
    "default-src 'self'; script-src 'self' 'sha256-abc=' 'strict-dynamic'; connect-src 'none'; require-trusted-types-for 'script'",
    'ws://localhost:3000',
  );
  expect(policy.split('; ')).toEqual([
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline'",
    'connect-src ws://localhost:3000',
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self' blob:",
  ]);
});

test('a token bucket allows its burst, then its rate, and never more than its burst at once', () => {
  let now = 0;
  const bucket = new TokenBucket({ rate: 2, burst: 3 }, () => now);
  const taken = (times: number) => Array.from({ length: times }, () => bucket.take());
  expect(taken(4)).toEqual([true, true, true, false]);
  now = 500;
  expect(taken(2)).toEqual([true, false]);
  now = 60_000;
  expect(taken(4)).toEqual([true, true, true, false]);
});

test("Stripe's test mode needs a pair of test keys", () => {
  const keys = (STRIPE_SECRET_KEY?: string, STRIPE_PUBLISHABLE_KEY?: string) =>
    stripeKeysOf({ STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY });
  expect(keys()).toBeUndefined();
  expect(keys('', '')).toBeUndefined();
  expect(keys('sk_test_a', 'pk_test_b')).toEqual({ secretKey: 'sk_test_a', publishableKey: 'pk_test_b' });
  expect(() => keys('sk_live_a', 'pk_test_b')).toThrow(/is a live key/);
  expect(() => keys('sk_test_a', 'pk_live_b')).toThrow(/is a live key/);
  expect(() => keys('rk_live_a')).toThrow(/is a live key/);
  expect(() => keys('sk_test_a')).toThrow(/set both/);
  expect(() => keys('hello', 'pk_test_b')).toThrow(/set both/);
});
