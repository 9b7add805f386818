import type { PreSignUpTriggerEvent } from 'aws-lambda';
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import {
  type Account,
  type Identity,
  identityOf,
  isLinked,
} from '../../../../functions/domain/account-linking.ts';
import { removalMark } from '../../../../functions/domain/removal-mark.ts';
import { handlePreSignUp } from '../../../../functions/triggers/pre-sign-up.ts';
import { triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import { MemoryMail } from '../../../fixtures/fakes/memory-mail.ts';
import { MemoryPool } from '../../../fixtures/fakes/memory-pool.ts';
import { NthCallHook } from '../../../fixtures/fakes/nth-call-hook.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';
import {
  memoryAddressChanges,
  memoryAddresses,
  memoryAddressLimits,
} from '../../../fixtures/fakes/memory-adapters.ts';

const native: Account = {
  sub: '0b1f6f0e-0000-4000-8000-000000000001',
  username: '0b1f6f0e-0000-4000-8000-000000000001',
  status: 'CONFIRMED',
  enabled: true,
  email: 'ada@example.com',
  emailVerified: true,
  createdAt: new Date('2026-01-02'),
  identities: [],
};
const byGoogle: Account = {
  ...native,
  sub: '0b1f6f0e-0000-4000-8000-000000000099',
  username: 'google_99',
  status: 'EXTERNAL_PROVIDER',
  identities: [{ provider: 'Google', id: '99' }],
};
const unconfirmed: Account = { ...native, status: 'UNCONFIRMED', emailVerified: false };

stopClock('2026-01-20T23:05:00Z');
const log = watchLog();
const noOne = () => ({
  pool: new MemoryPool(),
  addresses: memoryAddresses(),
  addressChanges: memoryAddressChanges(),
  limits: memoryAddressLimits(),
  mail: new MemoryMail(),
});
let { pool, addresses, addressChanges, limits, mail } = noOne();
let find: MockInstance<MemoryPool['find']>;
let links: { identity: Identity; to: string }[];
beforeEach(() => {
  ({ pool, addresses, addressChanges, limits, mail } = noOne());
  links = [];
  find = vi.spyOn(pool, 'find');
  const link = pool.link.bind(pool);
  vi.spyOn(pool, 'link').mockImplementation((identity, to) => {
    links.push({ identity, to: to.username });
    return link(identity, to);
  });
});

/** Puts accounts into the pool, of which confirmed ones and providers' ones have proved their address. */
const given = (...accounts: Account[]): void => {
  for (const account of accounts) {
    pool.put(account);
    const { email, emailVerified, username } = account;
    if (email && emailVerified) addresses.owners.set(email.toLowerCase(), username);
  }
};
const ownerOfAddress = () => addresses.owners.get('ada@example.com');

const dependencies = () => ({
  users: () => pool,
  addresses,
  limits,
  addressChanges,
  mail,
  sendsThroughSes: true,
  siteUrl: 'https://selfsame.example',
});
const trigger = (received: PreSignUpTriggerEvent) => handlePreSignUp(dependencies())(received);

const event = (
  source: 'SignUp' | 'ExternalProvider' | 'AdminCreateUser',
  userName: string,
  userAttributes: Record<string, string>,
) =>
  ({
    version: '1',
    region: 'us-east-1',
    userPoolId: 'us-east-1_Pool',
    userName,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: 'client' },
    triggerSource: `PreSignUp_${source}`,
    request: { userAttributes },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  }) satisfies PreSignUpTriggerEvent;

const verified = { email: 'ada@example.com', email_verified: 'true' };
const signIn = (userName = 'github_4711', attributes: Record<string, string> = verified) =>
  trigger(event('ExternalProvider', userName, attributes));

describe('a sign-up with an address whose mail bounces', () => {
  const signUp = (changed: Partial<ReturnType<typeof dependencies>> = {}) =>
    handlePreSignUp({ ...dependencies(), ...changed })(
      event('SignUp', 'some-uuid', { email: 'ada@example.com' }),
    );
  beforeEach(() => {
    mail.suppressed.add('ada@example.com');
  });

  test('is refused with what to do, and leaves an unconfirmed account', async () => {
    pool.put(unconfirmed);
    await expect(signUp()).rejects.toThrow(triggerRefusals.undeliverableAddress);
    expect(triggerRefusals.undeliverableAddress).toMatch(/another address, or write to .*@/);
    expect(pool.accounts.size).toBe(1);
  });

  test('says that the address is taken if it is', async () => {
    given(byGoogle);
    await expect(signUp()).rejects.toThrow(triggerRefusals.addressTaken);
  });

  test('succeeds while SES does not answer', async () => {
    mail.listDown = true;
    await expect(signUp()).resolves.toBeDefined();
  });

  test('succeeds where Cognito sends the mail itself', async () => {
    await expect(signUp({ sendsThroughSes: false })).resolves.toBeDefined();
  });
});

describe('a user who signs in with a provider', () => {
  test('is linked to the confirmed account of the same address', async () => {
    given(native);
    await signIn();
    expect(links).toEqual([{ identity: { provider: 'GitHub', id: '4711' }, to: native.username }]);
  });

  test("is linked to another provider's account of the same address", async () => {
    given(byGoogle);
    await signIn();
    expect(links.map(({ to }) => to)).toEqual(['google_99']);
  });

  test('gets an account of the provider if there is none, and the address is not claimed before it exists', async () => {
    await signIn();
    expect(links).toEqual([]);
    expect(addresses.owners.size).toBe(0);
  });

  test('takes the place of an account that was never confirmed, whose password anyone may have chosen', async () => {
    pool.put(unconfirmed);
    await signIn();
    expect(links).toEqual([]);
    expect(pool.accounts.size).toBe(0);
    expect(addresses.owners.size).toBe(0);
  });

  test('leaves an unconfirmed account alone that has another address', async () => {
    // The pool ignores more than ASCII capitals: the pool takes the Kelvin sign for a k.
    pool.put({ ...unconfirmed, email: '\u212Aim@example.com' });
    await signIn('github_4711', { email: 'kim@example.com', email_verified: 'true' });
    expect(pool.accounts.size).toBe(1);
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

  test("is linked to a provider's account, and an unconfirmed account beside it is deleted", async () => {
    given(byGoogle);
    pool.put({ ...unconfirmed, username: 'attacker' });
    await signIn();
    expect(links.map(({ to }) => to)).toEqual(['google_99']);
    expect([...pool.accounts.keys()]).toEqual(['google_99']);
  });

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

  test('is linked to an account whose address has other capitals', async () => {
    given({ ...native, email: 'Ada@Example.COM' });
    await signIn();
    expect(links).toHaveLength(1);
  });

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

  test('is linked to an older account at the same provider that has the address', async () => {
    given(byGoogle);
    await signIn('google_4711');
    expect(links).toEqual([{ identity: { provider: 'Google', id: '4711' }, to: 'google_99' }]);
  });

  test('is refused beside an account of a provider that is not ours', async () => {
    given({ ...byGoogle, username: 'saml_99' });
    await expect(signIn()).rejects.toThrow(triggerRefusals.addressTaken);
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

  test.each([
    'facebook_4711',
    'github_enterprise_4711',
    'github',
    'github_',
    'github_47a11',
    'x_github_4711',
    '0b1f6f0e-0000-4000-8000-000000000001',
    'github_4711\n',
  ])('is refused under the user name %j', async (userName) => {
    given(native);
    await expect(signIn(userName)).rejects.toThrow('You can sign in with Google or GitHub only.');
    expect(links).toEqual([]);
  });

  test.each([
    ['is too long for a user name', `${'a'.repeat(120)}@example.com`],
    ['has a blank', 'ada lovelace@example.com'],
    ['has a line break', 'ada@example.com\r\nbcc:x'],
  ])('is refused with an address that %s', async (_, email) => {
    await expect(signIn('google_1', { email, email_verified: 'true' })).rejects.toThrow(
      'The email address of this Google account cannot be used here.',
    );
  });

  test('is neither confirmed nor verified by the trigger', async () => {
    given(native);
    expect((await signIn()).response).toEqual({
      autoConfirmUser: false,
      autoVerifyEmail: false,
      autoVerifyPhone: false,
    });
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
  test('gets a mail when a provider is linked', async () => {
    given({ ...native, email: 'Ada@Example.com' });
    await signIn('github_4711', { ...verified, name: 'Eve, see https://evil.example' });
    expect(mail.sent).toMatchObject([
      { to: 'Ada@Example.com', email: { subject: 'GitHub now opens your Selfsame account' } },
    ]);
    expect(mail.sent[0]?.email.html).not.toContain('evil.example');
    expect(mail.sent[0]?.email.text).toContain('On January 20, 2026 at 23:05 UTC');
  });

  test('is named in the log together with the provider', async () => {
    given(native);
    await signIn();
    expect(log.lines).toEqual([{ event: 'account-linked', account: native.username, provider: 'GitHub' }]);
  });

  test('gets one mail, however often Cognito calls', async () => {
    given(native);
    for (let times = 0; times < 3; times += 1) await signIn();
    expect(links).toHaveLength(1);
    expect(mail.sent).toHaveLength(1);
  });

  test('gets no mail if the provider gets its own account', async () => {
    pool.put(unconfirmed);
    await signIn();
    expect(mail.sent).toEqual([]);
  });

  test('is linked although the mail could not be sent', async () => {
    mail.down = true;
    given(native);
    await signIn();
    expect(links).toHaveLength(1);
  });
});

describe('a sign-up with a password', () => {
  const signUp = (email = 'ada@example.com') => trigger(event('SignUp', 'some-uuid', { email }));

  test("is refused for the address of a provider's account, in Cognito's own words", async () => {
    given(byGoogle);
    await expect(signUp('ADA@example.com')).rejects.toThrow(
      /^An account with the given email already exists.$/,
    );
  });

  test("is refused also if an unconfirmed account has the address beside the provider's", async () => {
    given(byGoogle);
    pool.put(unconfirmed);
    await expect(signUp()).rejects.toThrow('already exists');
  });

  test('deletes an account that was never confirmed, so that the new password counts', async () => {
    pool.put(unconfirmed);
    await signUp('ADA@example.com');
    expect(pool.accounts.size).toBe(0);
    expect(addresses.owners.size).toBe(0);
  });

  test('leaves an account that is confirmed at the same moment, and its address', async () => {
    pool.put(unconfirmed);
    // Cognito confirms, and the post-confirmation trigger claims the address.
    const confirms = new NthCallHook(3, async () => {
      given(native);
    });
    const waiting = {
      ...dependencies(),
      users: () => confirms.wrap(pool),
      addresses: confirms.wrap(addresses),
    };
    await handlePreSignUp(waiting)(event('SignUp', 'some-uuid', { email: 'ada@example.com' }));
    expect(confirms.hasRun).toBe(true);
    expect(pool.accounts.get(native.username)?.status).toBe('CONFIRMED');
    expect(ownerOfAddress()).toBe(native.username);
  });

  test('is refused after the day’s mails to the address, and the account with the newest mail stays', async () => {
    pool.put(unconfirmed);
    while (await limits.take('mail', 'ADA@example.com', new Date()));
    await expect(signUp('ada@example.com')).rejects.toThrow(triggerRefusals.mailsSpent);
    expect(pool.accounts.has(unconfirmed.username)).toBe(true);
  });

  test('is accepted if the day’s mails can’t be counted', async () => {
    limits.take = () => Promise.reject(new Error('throttled'));
    await expect(signUp('ada@example.com')).resolves.toBeDefined();
  });

  test('leaves an unconfirmed account alone whose address only looks the same', async () => {
    pool.put({ ...unconfirmed, email: '\u212Aim@example.com' });
    await signUp('kim@example.com');
    expect(pool.accounts.size).toBe(1);
  });

  test('is refused without an address, whose mail could not be counted', async () => {
    const made = event('SignUp', 'some-uuid', {});
    await expect(trigger(made)).rejects.toThrow(triggerRefusals.addressMissing);
    expect(find).not.toHaveBeenCalled();
  });

  test('for an address with an account is left to Cognito’s refusal, and uses up none of its mails', async () => {
    given(native);
    for (let tries = 0; tries < 10; tries += 1) await signUp('ada@example.com');
    expect(await limits.take('mail', 'ada@example.com', new Date())).toBe(true);
  });

  test.each([
    ['an account that has another address by now', { ...byGoogle, email: 'bob@example.com' }],
    ['an account whose address is not verified', { ...byGoogle, emailVerified: false }],
  ])('is accepted for the address of %s', async (_, account) => {
    pool.put(account);
    addresses.owners.set('ada@example.com', account.username);
    expect(await signUp()).toBeDefined();
  });

  test('is accepted although an earlier deletion has left its mark', async () => {
    addresses.owners.set('ada@example.com', removalMark('gone'));
    expect(await signUp()).toBeDefined();
    expect(find.mock.calls).toEqual([['ada@example.com']]);
  });

  test('that is refused is logged as a refusal, which the alarm subtracts from the failures', async () => {
    given(byGoogle);
    await expect(signUp()).rejects.toThrow('already exists');
    expect(log.lines).toEqual([
      {
        event: 'sign-up-refused',
        triggerSource: 'PreSignUp_SignUp',
        sentence: 'An account with the given email already exists.',
      },
    ]);
  });

  test('is accepted otherwise, and Cognito checks the rest', async () => {
    given(native);
    expect((await signUp()).response).toEqual({
      autoConfirmUser: false,
      autoVerifyEmail: false,
      autoVerifyPhone: false,
    });
    expect(links).toEqual([]);
  });
});

test('an account that an administrator creates is accepted without a search', async () => {
  vi.spyOn(pool, 'find').mockRejectedValue(new Error('not asked'));
  const made = event('AdminCreateUser', 'some-uuid', { email: 'ada@example.com' });
  expect(await trigger(made)).toBe(made);
});

test.each([
  ['Google_1234', { provider: 'Google', id: '1234' }],
  ['google_1234', { provider: 'Google', id: '1234' }],
  ['github_1234', { provider: 'GitHub', id: '1234' }],
  ['GitHub_0012', { provider: 'GitHub', id: '0012' }],
])('%s is parsed into provider and id', (userName, identity) => {
  expect(identityOf(userName)).toEqual(identity);
});

test('an account is linked to an identity if any of its identities is that one', () => {
  const github: Identity = { provider: 'GitHub', id: '4711' };
  const google: Identity = { provider: 'Google', id: '99' };
  const linked = { ...native, identities: [google, github] };
  expect(isLinked(linked, github)).toBe(true);
  expect(isLinked(linked, google)).toBe(true);
  expect(isLinked(linked, { provider: 'Google', id: '4711' })).toBe(false);
  expect(isLinked(native, github)).toBe(false);
});
