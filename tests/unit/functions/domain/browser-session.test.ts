import { expect, test } from 'vitest';
import { BROWSER_LIFETIME, browserUsed } from '../../../../functions/domain/browser-session.ts';

const now = new Date('2026-01-20T12:00:00Z');
const identity = { session: 'first', signedInAt: new Date('2026-01-20T11:00:00Z') };
const browser = { user_id: 'ada', id: 'browser/1', kind: 'Firefox on Windows' };
const firstUse = () => browserUsed(undefined, identity, browser, now);

test('a browser is kept for a year after its last use', () => {
  expect(BROWSER_LIFETIME).toBe(365 * 24 * 60 * 60);
  expect(firstUse()).toEqual({
    ...browser,
    session: 'first',
    signed_in_at: '2026-01-20T11:00:00.000Z',
    used_at: '2026-01-20T12:00:00.000Z',
    expires_at: Date.UTC(2027, 0, 20, 12) / 1000,
  });
});

test('is written once a day, unless its session or its kind has changed', () => {
  const known = firstUse();
  const inADay = new Date(now.getTime() + 86_400_000);
  const before = new Date(inADay.getTime() - 1);
  expect(browserUsed(known, identity, browser, before)).toBeUndefined();
  expect(browserUsed(known, identity, browser, inADay)).toMatchObject({ used_at: inADay.toISOString() });
  const second = { session: 'second' };
  expect(browserUsed(known, { ...identity, ...second }, browser, before)).toMatchObject(second);
  const edge = { kind: 'Edge on Windows' };
  expect(browserUsed(known, identity, { ...browser, ...edge }, before)).toMatchObject(edge);
});
