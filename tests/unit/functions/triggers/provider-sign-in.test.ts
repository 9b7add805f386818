import { describe, expect, test, vi } from 'vitest';
import { triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import {
  addresses,
  beginWithNobody,
  byGoogle,
  find,
  given,
  links,
  mail,
  native,
  ownerOfAddress,
  pool,
  signIn,
  unconfirmed,
  verified,
} from './pre-sign-up-acts.ts';

const log = beginWithNobody();

describe('a user who signs in with a provider', () => {
  test('is linked to the confirmed account of the same address, which is logged, and nothing is verified', async () => {
    given(native);
    const unchanged = { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false };
    expect((await signIn()).response).toEqual(unchanged);
    expect(links).toEqual([{ identity: { provider: 'github', id: '4711' }, to: native.username }]);
    expect(log.lines).toEqual([{ event: 'account-linked', account: native.username, provider: 'github' }]);
  });

  test('takes the place of an account that was never confirmed, whose password anyone may have chosen, without a mail', async () => {
    pool.put(unconfirmed);
    await signIn();
    expect(links).toEqual([]);
    expect(pool.accounts.size).toBe(0);
    expect(addresses.owners.size).toBe(0);
    expect(mail.sent).toEqual([]);
  });

  test.each(['FORCE_CHANGE_PASSWORD', 'RESET_REQUIRED', 'UNKNOWN', ''])(
    'is refused beside an account in status %s, since an address has one account',
    async (status) => {
      pool.put({ ...native, status });
      await expect(signIn()).rejects.toThrow(triggerRefusals.addressTaken);
      expect(links).toEqual([]);
      expect(ownerOfAddress()).toBeUndefined();
    },
  );

  test('gets a separate account beside an account with an unverified address', async () => {
    pool.put({ ...native, emailVerified: false });
    await signIn();
    expect(links).toEqual([]);
    expect(pool.accounts.size).toBe(1);
  });

  test.each(['github', 'google'] as const)(
    'of %s is linked to an account that a provider made, and an unconfirmed account beside it is deleted',
    async (provider) => {
      given(byGoogle);
      pool.put({ ...unconfirmed, username: 'attacker' });
      await signIn(`${provider}_4711`);
      expect(links).toEqual([{ identity: { provider, id: '4711' }, to: 'google_99' }]);
      expect([...pool.accounts.keys()]).toEqual(['google_99']);
    },
  );

  test("is linked to a provider's account before one with a password", async () => {
    pool.put(native);
    given(byGoogle);
    await signIn();
    expect(links.map(({ to }) => to)).toEqual(['google_99']);
    expect(ownerOfAddress()).toBe('google_99');
  });

  test.each([
    ['that is gone', []],
    ['that has another address by now', [{ ...byGoogle, email: 'elsewhere@example.com' }]],
    ['whose address is not verified any more', [{ ...byGoogle, emailVerified: false }]],
  ])('gets an account of the provider if the address belongs to one %s', async (_, accounts) => {
    for (const account of accounts) pool.put(account);
    addresses.owners.set('ada@example.com', 'google_99');
    await signIn();
    expect(links).toEqual([]);
  });

  test.each([
    ['nobody has claimed', undefined],
    ['a deleted account has claimed', 'google_77'],
  ])(
    'finishes a confirmation that stopped halfway: of an account whose address %s, the password and sessions end before the link',
    async (_, claimed) => {
      given(native);
      if (claimed === undefined) addresses.owners.clear();
      else addresses.owners.set('ada@example.com', claimed);
      const discard = vi.spyOn(pool, 'discardPassword').mockRejectedValueOnce(new Error('down'));
      await expect(signIn()).rejects.toThrow(/went wrong/);
      expect(links).toEqual([]);
      await signIn();
      expect(discard).toHaveBeenLastCalledWith(native.username);
      expect(pool.of(native.username).sessionsEnded).toHaveLength(1);
      expect(ownerOfAddress()).toBe(native.username);
      expect(links).toHaveLength(1);
      await signIn();
      expect(discard).toHaveBeenCalledTimes(2);
    },
  );

  test('is not linked to an account whose address only looks similar', async () => {
    // The Kelvin sign, which Unicode folds into a k, and a dotless i.
    for (const [theirs, ours] of [
      ['\u212Aim@example.com', 'kim@example.com'],
      ['ıda@example.com', 'ida@example.com'],
      ['ada@example.com.evil.example', 'ada@example.com'],
    ]) {
      pool.put({ ...native, email: ours });
      await signIn('github_4711', { email: theirs ?? '', email_verified: 'true' });
    }
    expect(find).toHaveBeenCalledTimes(3);
    expect(links).toEqual([]);
  });

  test('is refused beside an account of a provider that is not ours, and as its user', async () => {
    given({ ...byGoogle, username: 'saml_99' });
    await expect(signIn()).rejects.toThrow(triggerRefusals.addressTaken);
    await expect(signIn('facebook_4711')).rejects.toThrow(triggerRefusals.unknownProvider);
    expect(links).toEqual([]);
  });

  test('is not linked to the own new account when Cognito calls again', async () => {
    given({ ...byGoogle, username: 'github_4711' });
    await signIn();
    expect(links).toEqual([]);
    expect(ownerOfAddress()).toBe('github_4711');
  });

  test.each([
    ['false', { email: 'ada@example.com', email_verified: 'false' }],
    ['nothing', { email: 'ada@example.com' }],
    ['something else', { email: 'ada@example.com', email_verified: 'TRUE ' }],
    ['no address', { email_verified: 'true' }],
  ])('is refused without a search if the provider says: %s', async (_, attributes) => {
    given(native);
    await expect(signIn('github_4711', attributes)).rejects.toThrow(
      'GitHub has no verified email address for this account. Verify one at GitHub and try again.',
    );
    expect(find).not.toHaveBeenCalled();
    expect(links).toEqual([]);
  });

  test('sees a general sentence without detail if the pool fails', async () => {
    vi.spyOn(pool, 'find').mockRejectedValue(new Error('Rate exceeded for arn:aws:secret'));
    await expect(signIn()).rejects.toThrow(
      /^Something went wrong on our side. Please try again in a moment.$/,
    );
    expect(log.errors).toHaveLength(1);
  });
});

describe('the owner of an account', () => {
  test('gets one mail when a provider is linked, however often Cognito calls', async () => {
    given({ ...native, email: 'Ada@Example.com' });
    for (let times = 0; times < 3; times += 1)
      await signIn('github_4711', { ...verified, name: 'Eve, see https://evil.example' });
    expect(links).toHaveLength(1);
    expect(mail.sent).toMatchObject([
      { to: 'Ada@Example.com', email: { subject: 'GitHub now opens your Selfsame account' } },
    ]);
    expect(mail.sent[0]?.email.html).not.toContain('evil.example');
    expect(mail.sent[0]?.email.text).toContain('On January 20, 2026 at 23:05 UTC');
  });
});
