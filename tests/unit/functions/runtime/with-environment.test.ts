import type { Context } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import { withEnvironment } from '../../../../functions/runtime/with-environment.ts';
import { withinTime } from '../../../../functions/runtime/time-budget.ts';

afterEach(() => vi.unstubAllEnvs());

test('a handler composes its dependencies once, at the first call, from the variables of its access', async () => {
  vi.stubEnv('USER_PLANS_TABLE', undefined);
  const composed: unknown[] = [];
  const handler = withEnvironment({ tables: { UserPlans: ['GetItem'] }, needs: [] }, (environment) => {
    composed.push(environment);
    return (name: string) => `hello ${name}`;
  });
  expect(composed).toEqual([]);
  vi.stubEnv('USER_PLANS_TABLE', 'UserPlans');
  expect(handler('ada')).toBe('hello ada');
  expect(handler('eve')).toBe('hello eve');
  expect(composed).toEqual([{ USER_PLANS_TABLE: 'UserPlans' }]);
});

test('a handler gets no variable of a table or a need that its access does not name', () => {
  vi.stubEnv('USER_PLANS_TABLE', 'UserPlans');
  vi.stubEnv('WAITLIST_TABLE', 'Waitlist');
  const handler = withEnvironment({ tables: { Waitlist: ['PutItem'] }, needs: [] }, (environment) => {
    // @ts-expect-error: nor does it compile.
    return () => [environment.WAITLIST_TABLE, environment.USER_PLANS_TABLE, environment.SITE_URL];
  });
  expect(handler()).toEqual(['Waitlist', undefined, undefined]);
});

test.each([undefined, 'selfsame.example'])(
  'a handler whose SITE_URL is %o fails at its first call, and names the variable',
  (value) => {
    vi.stubEnv('SITE_URL', value);
    const handler = withEnvironment({ needs: ['site'] }, () => () => 'never');
    expect(() => handler()).toThrow('The environment variable SITE_URL is missing or malformed.');
  },
);

test('a background function begins no new work in the last minute and a half of its time', () => {
  const handler = withinTime('schedules/expiry-sweep', {}, () => (isOver) => isOver()).with({});
  const left = (milliseconds: number) => ({ getRemainingTimeInMillis: () => milliseconds }) as Context;
  expect(handler({}, left(90_000))).toBe(false);
  expect(handler({}, left(89_999))).toBe(true);
});
