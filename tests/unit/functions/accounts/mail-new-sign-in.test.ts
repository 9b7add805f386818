import { expect, test } from 'vitest';
import { mailNewSignIn } from '../../../../functions/accounts/mail-new-sign-in.ts';
import { accountParts } from '../../../fixtures/fakes/account-parts.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

watchLog();
const now = new Date('2026-01-20T12:00:00Z');
const signIn = { kind: 'Firefox on Windows', at: now };

test('the mail about a new sign-in leads to a new password, or to the settings of an account without one', async () => {
  const parts = accountParts();
  const address = 'ada@example.com';
  await mailNewSignIn(parts, { address, made_by: undefined }, signIn, now);
  await mailNewSignIn(parts, { address, made_by: 'google' }, signIn, now);
  await mailNewSignIn(parts, { address: undefined, made_by: 'google' }, signIn, now);
  const led = parts.mail.sent.map(({ to, email: { text } }) => [to, text.includes('/forgot-password')]);
  expect(led).toEqual([
    [address, true],
    [address, false],
  ]);
});
