import type { PreTokenGenerationTriggerEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isUseRecorded, inUse } from '../../../../functions/domain/idle.ts';
import { handlePreTokenGeneration } from '../../../../functions/triggers/pre-token-generation.ts';
import { triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();
const now = new Date('2026-05-01T12:00:00Z');
const email = 'ada@example.com';

const use = { record: vi.fn() };
const [hasProvider, ownerOf, followAddress] = [vi.fn(), vi.fn(), vi.fn()];
beforeEach(() => {
  use.record.mockReset().mockResolvedValue({ address: email });
  hasProvider.mockReset().mockResolvedValue(false);
  ownerOf.mockReset().mockResolvedValue(undefined);
  followAddress.mockReset().mockResolvedValue(undefined);
});

const request = (source: string, userAttributes: Record<string, string>, userName = 'ada') =>
  ({
    triggerSource: `TokenGeneration_${source}`,
    userPoolId: 'pool',
    userName,
    request: { userAttributes: { sub: 'ada', email, email_verified: 'true', ...userAttributes } },
    response: { claimsOverrideDetails: null },
  }) as unknown as PreTokenGenerationTriggerEvent;
const issue = (...of: Parameters<typeof request>) =>
  handlePreTokenGeneration({ use, hasProvider, ownerOf, followAddress }, () => now)(request(...of));

test('a token is issued as it is, and recorded as use of the account', async () => {
  // A provider's account has another user name than `sub`.
  const of = ['RefreshTokens', {}, 'google_1'] as const;
  expect(await issue(...of)).toEqual(request(...of));
  expect(use.record.mock.calls).toEqual([['ada', now]]);
});

test('a table that fails doesn’t block a sign-in, and is logged', async () => {
  use.record.mockRejectedValue(new Error('throttled'));
  expect(await issue('Authentication', {})).toBeDefined();
  expect(log.lines).toEqual([expect.objectContaining({ event: 'use-not-recorded', user: 'ada' })]);
});

test('the hosted domain gets no tokens for an account that no provider opens', async () => {
  for (const attributes of [{}, { identities: '[]' }]) {
    await expect(issue('HostedAuth', attributes)).rejects.toThrow(triggerRefusals.providerTakenOff);
  }
  expect(log.lines).toContainEqual({ event: 'tokens-refused', user: 'ada', because: 'provider-taken-off' });
  await expect(issue('HostedAuth', { identities: '[{}]' })).resolves.toBeDefined();
  hasProvider.mockResolvedValue(true);
  await expect(issue('HostedAuth', {})).resolves.toBeDefined();
});

describe.each(['Authentication', 'RefreshTokens'])('without a row, %s', (source) => {
  beforeEach(() => use.record.mockResolvedValue(undefined));

  test.each([undefined, 'bob', 'unconfirmed/ada'])(
    'is refused if the password may be a stranger’s: its address belongs to %s',
    async (owner) => {
      ownerOf.mockResolvedValue(owner);
      await expect(issue(source, {})).rejects.toThrow(triggerRefusals.confirmationUnfinished);
      expect(log.lines).toContainEqual({ event: 'tokens-refused', user: 'ada', because: 'unfinished' });
    },
  );

  test('gives tokens to the account that has claimed the address, and to one of a provider', async () => {
    ownerOf.mockResolvedValue('ada');
    await expect(issue(source, {})).resolves.toBeDefined();
    ownerOf.mockResolvedValue(undefined);
    await expect(issue(source, {}, 'google_1')).resolves.toBeDefined();
  });
});

describe('a sign-in with a provider', () => {
  const arrive = (attributes: Record<string, string>) =>
    issue('HostedAuth', { identities: '[{}]', ...attributes }, 'google_1');
  const followed = (signIn: object) => [['pool', { id: 'ada', username: 'google_1', ...signIn }, now]];

  test('that brings the account’s address costs no request', async () => {
    await arrive({ email: 'Ada@Example.com' });
    expect(followAddress).not.toHaveBeenCalled();
  });

  test.each([
    ['another address', { email: 'new@example.com' }, { email: 'new@example.com', emailVerified: true }],
    ['an unverified address', { email_verified: 'false' }, { email, emailVerified: false }],
  ])('that brings %s has it asked about, and gets tokens with its own', async (_, attributes, signIn) => {
    followAddress.mockResolvedValue({ address: email });
    expect(await arrive(attributes)).toMatchObject({
      response: { claimsOverrideDetails: { claimsToAddOrOverride: { email } } },
    });
    expect(followAddress.mock.calls).toEqual(followed(signIn));
  });

  test('to an account without an address that brings the address of another account is refused', async () => {
    followAddress.mockResolvedValue({ refused: 'Sign in to that one.' });
    await expect(arrive({ email: 'bob@example.com' })).rejects.toThrow('Sign in to that one.');
    expect(log.lines).toContainEqual({ event: 'tokens-refused', user: 'ada', because: 'address-taken' });
  });

  test('opens the account if following the address fails, which the next sign-in repeats', async () => {
    followAddress.mockRejectedValue(new Error('throttled'));
    await expect(arrive({ email: 'new@example.com' })).resolves.toBeDefined();
    expect(log.lines).toEqual([expect.objectContaining({ event: 'address-not-followed', user: 'ada' })]);
  });
});

test('a use is recorded once a day, and always after a warning', () => {
  const begun = inUse('ada', now);
  const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  expect(isUseRecorded(begun, after(23))).toBe(true);
  expect(isUseRecorded(begun, after(24))).toBe(false);
  expect(isUseRecorded({ idle_due_at: after(30 * 24).toISOString() }, now)).toBe(false);
});
