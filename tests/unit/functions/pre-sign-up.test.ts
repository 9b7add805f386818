import type { PreSignUpTriggerEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { UserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import {
  type Account,
  type Identity,
  identityOf,
  isLinked,
} from '../../../functions/domain/account-linking.ts';
import { handlePreSignUp } from '../../../functions/triggers/pre-sign-up.ts';
import { MemoryMail } from '../../fixtures/memory-mail.ts';

const native: Account = {
  username: '0b1f6f0e-0000-4000-8000-000000000001',
  status: 'CONFIRMED',
  email: 'ada@example.com',
  emailVerified: true,
  createdAt: new Date('2026-01-02'),
  identities: [],
};
const byGoogle: Account = {
  ...native,
  username: 'google_99',
  status: 'EXTERNAL_PROVIDER',
  identities: [{ provider: 'Google', id: '99' }],
};

/** What the pool finds for any address. */
let found: Account[];
let links: { identity: Identity; to: string }[];
let asked: string[];
let failing: Error | undefined;
let mail: MemoryMail;

beforeEach(() => {
  found = [];
  links = [];
  asked = [];
  failing = undefined;
  mail = new MemoryMail();
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

const users = (): Pick<UserPool, 'findByEmail' | 'link'> => ({
  async findByEmail(email) {
    asked.push(email);
    if (failing) throw failing;
    return found;
  },
  async link(identity, { username }) {
    const isNew = links.every((link) => link.identity.id !== identity.id);
    links.push({ identity, to: username });
    return isNew;
  },
});

const now = new Date('2026-01-20T23:05:00Z');
const trigger = (given: PreSignUpTriggerEvent) =>
  handlePreSignUp({ users, mail, siteUrl: 'https://selfsame.example' }, () => now)(given);

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

describe('a user who signs in with a provider', () => {
  test('is linked to the confirmed account of the same address', async () => {
    found = [native];
    await signIn();
    expect(links).toEqual([{ identity: { provider: 'GitHub', id: '4711' }, to: native.username }]);
  });

  test("is linked to another provider's account of the same address", async () => {
    found = [byGoogle];
    await signIn();
    expect(links.map(({ to }) => to)).toEqual(['google_99']);
  });

  test('gets a separate account if there is none', async () => {
    await signIn();
    expect(asked).toEqual(['ada@example.com']);
    expect(links).toEqual([]);
  });

  test.each(['UNCONFIRMED', 'FORCE_CHANGE_PASSWORD', 'RESET_REQUIRED', 'UNKNOWN', ''])(
    'gets a separate account beside an account in status %s, whose password anyone may have chosen',
    async (status) => {
      found = [{ ...native, status }];
      await signIn();
      expect(links).toEqual([]);
    },
  );

  test('gets a separate account beside an account with an unverified address', async () => {
    found = [
      { ...native, emailVerified: false },
      { ...byGoogle, emailVerified: false },
    ];
    await signIn();
    expect(links).toEqual([]);
  });

  test('is never linked to an unconfirmed account, even if others are found', async () => {
    found = [{ ...native, username: 'attacker', status: 'UNCONFIRMED' }, byGoogle];
    await signIn();
    expect(links.map(({ to }) => to)).toEqual(['google_99']);
  });

  test("is linked to a provider's account before one with a password, and to the oldest of them", async () => {
    found = [
      { ...native, createdAt: new Date('2020-01-01') },
      { ...byGoogle, username: 'google_2', createdAt: new Date('2026-03-01') },
      { ...byGoogle, username: 'google_1', createdAt: new Date('2026-02-01') },
    ];
    await signIn();
    expect(links.map(({ to }) => to)).toEqual(['google_1']);
  });

  test('is linked to an account whose address has other capitals', async () => {
    found = [{ ...native, email: 'Ada@Example.COM' }];
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
      found = [{ ...native, email: ours }];
      await signIn('github_4711', { email: theirs ?? '', email_verified: 'true' });
    }
    expect(asked).toHaveLength(3);
    expect(links).toEqual([]);
  });

  test('is not linked to an account that has another address by now', async () => {
    found = [
      { ...byGoogle, email: 'elsewhere@example.com' },
      { ...native, email: undefined },
    ];
    await signIn();
    expect(links).toEqual([]);
  });

  test('is linked to an older account at the same provider that has the address', async () => {
    found = [{ ...byGoogle, username: 'google_99' }];
    await signIn('google_4711');
    expect(links).toEqual([{ identity: { provider: 'Google', id: '4711' }, to: 'google_99' }]);
  });

  test('is not linked to an account of a provider that is not ours', async () => {
    found = [{ ...byGoogle, username: 'saml_99' }];
    await signIn();
    expect(links).toEqual([]);
  });

  test('is not linked to the own new account when Cognito calls again', async () => {
    found = [{ ...byGoogle, username: 'github_4711' }];
    await signIn();
    expect(links).toEqual([]);
  });

  test.each([
    ['false', { email: 'ada@example.com', email_verified: 'false' }],
    ['nothing', { email: 'ada@example.com' }],
    ['something else', { email: 'ada@example.com', email_verified: 'TRUE ' }],
    ['no address', { email_verified: 'true' }],
  ])('is refused without a search if the provider says: %s', async (_, attributes) => {
    found = [native];
    await expect(signIn('github_4711', attributes)).rejects.toThrow(
      'GitHub has no verified e-mail address for this account. Verify one at GitHub and try again.',
    );
    expect(asked).toEqual([]);
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
    found = [native];
    await expect(signIn(userName)).rejects.toThrow('You can sign in with Google or GitHub only.');
    expect(links).toEqual([]);
  });

  test.each([
    ['is too long for a user name', `${'a'.repeat(120)}@example.com`],
    ['has a blank', 'ada lovelace@example.com'],
    ['has a line break', 'ada@example.com\r\nbcc:x'],
  ])('is refused with an address that %s', async (_, email) => {
    await expect(signIn('google_1', { email, email_verified: 'true' })).rejects.toThrow(
      'The e-mail address of this Google account cannot be used here.',
    );
  });

  test('is neither confirmed nor verified by the trigger', async () => {
    found = [native];
    expect((await signIn()).response).toEqual({
      autoConfirmUser: false,
      autoVerifyEmail: false,
      autoVerifyPhone: false,
    });
  });

  test('sees a general sentence without detail if the pool fails', async () => {
    failing = new Error('Rate exceeded for arn:aws:secret');
    await expect(signIn()).rejects.toThrow(
      /^Something went wrong on our side. Please try again in a moment.$/,
    );
    expect(console.error).toHaveBeenCalledOnce();
  });
});

describe('the owner of an account', () => {
  test('gets a mail when a provider is linked', async () => {
    found = [{ ...native, email: 'Ada@Example.com' }];
    await signIn('github_4711', { ...verified, name: 'Eve, see https://evil.example' });
    expect(mail.sent).toMatchObject([
      { to: 'Ada@Example.com', email: { subject: 'GitHub now opens your Selfsame account' } },
    ]);
    expect(mail.sent[0]?.email.html).not.toContain('evil.example');
    expect(mail.sent[0]?.email.text).toContain('On January 20, 2026 at 23:05 UTC');
  });

  test('is named in the log together with the provider', async () => {
    found = [native];
    await signIn();
    expect(console.info).toHaveBeenCalledExactlyOnceWith({
      event: 'account-linked',
      account: native.username,
      provider: 'GitHub',
    });
  });

  test('is told the time of day at which it happened', async () => {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    found = [native];
    const dependencies = { users, mail, siteUrl: 'https://selfsame.example' };
    await handlePreSignUp(dependencies)(event('ExternalProvider', 'github_4711', verified));
    vi.useRealTimers();
    expect(mail.sent[0]?.email.text).toContain('On January 20, 2026 at 23:05 UTC');
  });

  test('gets one mail, however often Cognito calls', async () => {
    found = [native];
    for (let times = 0; times < 3; times += 1) await signIn();
    expect(links).toHaveLength(3);
    expect(mail.sent).toHaveLength(1);
  });

  test('gets no mail about a separate account', async () => {
    found = [{ ...native, status: 'UNCONFIRMED' }];
    await signIn();
    expect(mail.sent).toEqual([]);
  });

  test('is linked although the mail could not be sent', async () => {
    mail.down = true;
    found = [native];
    await signIn();
    expect(links).toHaveLength(1);
  });
});

describe('a sign-up with a password', () => {
  const signUp = (email = 'ada@example.com') => trigger(event('SignUp', 'some-uuid', { email }));

  test("is refused for the address of a provider's account, in Cognito's own words", async () => {
    found = [byGoogle];
    await expect(signUp('ADA@example.com')).rejects.toThrow(
      /^An account with the given email already exists.$/,
    );
  });

  test("is refused also if an unconfirmed account has the address beside the provider's", async () => {
    found = [{ ...native, status: 'UNCONFIRMED', emailVerified: false }, byGoogle];
    await expect(signUp()).rejects.toThrow('already exists');
  });

  test.each([
    ['an account whose name only looks like one of a provider', { ...byGoogle, status: 'CONFIRMED' }],
    ['an account of a provider that is not ours', { ...byGoogle, username: 'saml_99' }],
  ])('is accepted beside %s', async (_, account) => {
    found = [account];
    expect(await signUp()).toBeDefined();
  });

  test('that is refused is logged as a refusal, which the alarm subtracts from the failures', async () => {
    found = [byGoogle];
    await expect(signUp()).rejects.toThrow('already exists');
    expect(vi.mocked(console.info).mock.calls).toEqual([
      [
        {
          event: 'sign-up-refused',
          triggerSource: 'PreSignUp_SignUp',
          sentence: 'An account with the given email already exists.',
        },
      ],
    ]);
    expect(console.error).not.toHaveBeenCalled();
  });

  test('is accepted otherwise, and Cognito checks the rest', async () => {
    found = [native, { ...byGoogle, emailVerified: false }, { ...byGoogle, email: 'bob@example.com' }];
    expect((await signUp()).response).toEqual({
      autoConfirmUser: false,
      autoVerifyEmail: false,
      autoVerifyPhone: false,
    });
    expect(links).toEqual([]);
  });
});

test('an account that an administrator creates is accepted without a search', async () => {
  failing = new Error('not asked');
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
