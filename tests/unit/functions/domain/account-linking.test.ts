import { expect, test } from 'vitest';
import {
  type Account,
  hasPassword,
  holdsAddress,
  type Identity,
  identityOf,
  isLinked,
  isLinkable,
  isUnconfirmed,
  providersOf,
  readProviderProfile,
} from '../../../../functions/domain/account-linking.ts';

const accountWith = (fields: Partial<Account> = {}): Account => ({
  sub: 'ada',
  username: 'ada',
  status: 'CONFIRMED',
  enabled: true,
  email: 'ada@example.com',
  emailVerified: true,
  createdAt: new Date('2026-01-20T12:00:00Z'),
  identities: [],
  ...fields,
});
const ofGoogle = { username: 'google_123', status: 'EXTERNAL_PROVIDER' };

test.each([
  ['a', true],
  [`${'a'.repeat(116)}@example.com`, true],
  [`${'a'.repeat(117)}@example.com`, false],
  ['ada @example.com', false],
  ['ada@example.com\r\nbcc:x', false],
  [' ada@example.com', false],
  ['ada@example.com ', false],
  ['\u0000ada@example.com', false],
  ['ada@example.com\u200b', false],
])('a profile with the address %j can be used: %s', (email, usable) => {
  const profile = readProviderProfile('google_123', { email, email_verified: 'true' });
  expect(profile.kind).toBe(usable ? 'profile' : 'refused');
});

test('only an account that a password was chosen for has one', () => {
  expect(hasPassword(accountWith())).toBe(true);
  expect(hasPassword(accountWith(ofGoogle))).toBe(false);
});

test('a profile is linked to a confirmed account, or to one that a provider made', () => {
  expect(isLinkable(accountWith())).toBe(true);
  expect(isLinkable(accountWith(ofGoogle))).toBe(true);
  expect(isLinkable(accountWith({ ...ofGoogle, status: 'FORCE_CHANGE_PASSWORD' }))).toBe(false);
  expect(isLinkable(accountWith({ status: 'UNCONFIRMED' }))).toBe(false);
  expect(isLinkable(accountWith({ enabled: false }))).toBe(false);
});

test('an account that was never confirmed holds no address, even a verified one', () => {
  const unconfirmed = accountWith({ status: 'UNCONFIRMED' });
  expect(holdsAddress(accountWith(), 'Ada@Example.com')).toBe(true);
  expect(holdsAddress(unconfirmed, 'ada@example.com')).toBe(false);
  expect(isUnconfirmed(unconfirmed, 'Ada@Example.com')).toBe(true);
});

test('an account without an address holds none', () => {
  expect(holdsAddress(accountWith({ email: undefined }), 'ada@example.com')).toBe(false);
  expect(isUnconfirmed(accountWith({ email: undefined, status: 'UNCONFIRMED' }), 'a@b.c')).toBe(false);
});

test('the providers of an account are the one that made it and those that were linked, each once', () => {
  const identities = [
    { provider: 'github', id: '7' },
    { provider: 'google', id: '8' },
  ] as const;
  expect(providersOf(accountWith())).toEqual([]);
  expect(providersOf(accountWith({ identities }))).toEqual(['github', 'google']);
  expect(providersOf(accountWith({ ...ofGoogle, identities }))).toEqual(['google', 'github']);
});

test.each([
  ['Google_1234', { provider: 'google', id: '1234' }],
  ['google_1234', { provider: 'google', id: '1234' }],
  ['github_1234', { provider: 'github', id: '1234' }],
  ['GitHub_0012', { provider: 'github', id: '0012' }],
  ['facebook_4711', undefined],
  ['github_enterprise_4711', undefined],
  ['github', undefined],
  ['github_', undefined],
  ['github_47a11', undefined],
  ['x_github_4711', undefined],
  ['0b1f6f0e-0000-4000-8000-000000000001', undefined],
  ['github_4711\n', undefined],
])('the user name %j belongs to the profile %o', (userName, identity) => {
  expect(identityOf(userName)).toEqual(identity);
});

test('an account is linked to an identity if any of its identities is that one', () => {
  const github: Identity = { provider: 'github', id: '4711' };
  const google: Identity = { provider: 'google', id: '99' };
  const linked = accountWith({ identities: [google, github] });
  expect(isLinked(linked, github)).toBe(true);
  expect(isLinked(linked, google)).toBe(true);
  expect(isLinked(linked, { provider: 'google', id: '4711' })).toBe(false);
  expect(isLinked(accountWith(), github)).toBe(false);
});
