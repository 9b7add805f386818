import { expect, test } from 'vitest';
import { ago } from '../../../../../../web/src/routes/settings/sessions/time-since.ts';

test.each([
  ['2026-03-10T12:00:00.000Z', 'just now'],
  ['2026-03-10T11:58:00.000Z', '2 minutes ago'],
  ['2026-03-10T02:30:00.000Z', '9 hours ago'],
  ['2026-03-09T09:00:00.000Z', 'yesterday'],
  ['2026-03-04T12:00:00.000Z', '6 days ago'],
  ['2026-03-03T12:00:00.000Z', 'on March 3, 2026'],
])('a session last used at %s was used %s', (moment, words) => {
  expect(ago(moment, '2026-03-10T12:00:30.000Z')).toBe(words);
});
