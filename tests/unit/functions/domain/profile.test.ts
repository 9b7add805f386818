import { expect, test } from 'vitest';
import { knownAccount } from '../../../../functions/domain/profile.ts';

const profile = { username: 'ada', email: 'ada@example.com', emailVerified: true };

test('a row knows the verified address, and the provider that made the account', () => {
  expect(knownAccount(profile)).toStrictEqual({ address: 'ada@example.com' });
  expect(knownAccount({ ...profile, emailVerified: false })).toStrictEqual({});
  const byGoogle = { address: 'ada@example.com', made_by: 'google' };
  expect(knownAccount({ ...profile, username: 'google_1' })).toStrictEqual(byGoogle);
});
