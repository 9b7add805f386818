import { expect, test } from 'vitest';
import { recoveryLink } from '../../../../functions/notices/reset-link.ts';
import { accountParts } from '../../../fixtures/fakes/account-parts.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

watchLog();
const now = new Date('2026-01-20T12:00:00Z');
const ada = { username: 'ada', email: 'ada@example.com', hasPassword: true };

test('a mail leads to a new password, or to the settings of an account without password or address', async () => {
  const parts = accountParts();
  const linkOf = (account: Parameters<typeof recoveryLink>[1]) => recoveryLink(parts, account, now);
  expect(await linkOf(ada)).toContain('/reset-password?access_token=');
  for (const account of [
    { ...ada, hasPassword: false },
    { ...ada, email: undefined },
  ])
    expect(await linkOf(account)).toBe('https://selfsame.example/settings');
  expect(parts.proofs.items.size).toBe(1);
});
