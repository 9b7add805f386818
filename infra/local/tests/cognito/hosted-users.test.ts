import { signIn, signOut } from 'aws-amplify/auth';
import { afterEach, describe, expect, test } from 'vitest';
import { clientId, type HostedCognito, password, poolId, startHostedCognito } from '../fixtures/cognito.ts';

const email = 'ada@example.com';
const uuid = expect.stringMatching(/^[\da-f-]{36}$/);

let world: HostedCognito;
const start = async (options: Parameters<typeof startHostedCognito>[0] = {}) => {
  world = await startHostedCognito(options);
};
afterEach(() => world.stop());

const listed = async (Filter: string) => (await world.signed('ListUsers', { Filter })).body.Users;
const named = async (Username: string) => {
  const { body, error } = await world.signed('AdminGetUser', { Username });
  const attributes: [string, string][] = (body.UserAttributes ?? []).map(
    ({ Name, Value }: { Name: string; Value: string }) => [Name, Value],
  );
  return { ...body, error, attributes: Object.fromEntries(attributes) };
};
const link = (source: { by: string; id: string }, destination: { by: string; id: string }) =>
  world.signed('AdminLinkProviderForUser', {
    DestinationUser: { ProviderName: destination.by, ProviderAttributeValue: destination.id },
    SourceUser: {
      ProviderName: source.by,
      ProviderAttributeName: 'Cognito_Subject',
      ProviderAttributeValue: source.id,
    },
  });
/**
 * A trigger that links a provider's account to the account with the same address, with the product's calls.
 */
const linking = async (event: { userName: string; request: Record<string, unknown> }) => {
  const [, id = ''] = event.userName.split('_');
  const attributes = event.request['userAttributes'] as Record<string, string>;
  const [account] = await listed(`email = "${attributes['email']}"`);
  if (account) await link({ by: 'Google', id }, { by: 'Cognito', id: account.Username ?? '' });
  return event;
};
const fail = (errorMessage: string) => () => {
  // The error that the contract of `invoke` prescribes.
  // oxlint-disable-next-line typescript/only-throw-error, no-throw-literal
  throw { errorType: 'Error', errorMessage };
};

describe('a new user of a provider', () => {
  test('gets an account with its own sub and without a password', async () => {
    await start();
    const { access } = await world.signIn();
    const { attributes, ...user } = await named('google_1234');
    expect(user).toMatchObject({ Username: 'google_1234', UserStatus: 'EXTERNAL_PROVIDER' });
    expect(attributes).toEqual({
      sub: access.sub,
      email,
      email_verified: 'true',
      name: 'Ada',
      identities: expect.any(String),
    });
    expect(attributes['sub']).toEqual(uuid);
    expect(JSON.parse(attributes['identities'] ?? '')).toEqual([
      {
        userId: '1234',
        providerName: 'Google',
        providerType: 'Google',
        issuer: null,
        primary: true,
        dateCreated: expect.any(Number),
      },
    ]);
  });

  test('is recognised later, and triggers and tokens get the current claims of the provider', async () => {
    await start({ triggers: { PreTokenGeneration: (event) => event } });
    const first = await world.signIn();
    world.changeBrowser();
    const current = { email: 'ada@lovelace.example', email_verified: true, name: 'Ada Lovelace' };
    world.provider.account = { ...world.provider.account, ...current };
    const again = await world.signIn();
    expect(again.identity).toMatchObject({ ...current, sub: first.identity.sub });
    expect(world.events.at(-1)).toMatchObject({
      triggerSource: 'TokenGeneration_HostedAuth',
      request: { userAttributes: { ...current, email_verified: 'true' } },
    });
    expect(await listed('')).toHaveLength(1);
  });

  test.for([
    ['says that it is not', { email_verified: false }],
    ['does not say', { email_verified: undefined }],
  ] as const)('has an unverified address where the provider %s', async ([, said]) => {
    await start();
    await world.signIn();
    world.changeBrowser();
    Object.assign(world.provider.account, said);
    const { identity } = await world.signIn();
    expect(identity['email_verified']).toBe(false);
  });

  test('is refused without an address, which the pool requires', async () => {
    await start();
    world.provider.account = { sub: '1234', name: 'Ada' };
    expect(await world.arrive()).toEqual({
      error: 'invalid_request',
      error_description: 'attributes required: [email]',
      state: 'of-the-site',
    });
    expect(await listed('')).toEqual([]);
  });

  test('is refused if the client may not write what the provider says', async () => {
    await start({ client: { WriteAttributes: ['email'] } });
    expect(await world.arrive()).toMatchObject({
      error: 'invalid_request',
      error_description: 'user.name: Attribute cannot be updated.',
    });
    expect(await listed('')).toEqual([]);
  });

  test('needs no right of the client to say that the address is verified', async () => {
    await start({ client: { WriteAttributes: ['email', 'name'] } });
    expect((await world.signIn()).identity['email_verified']).toBe(true);
  });

  test('is another user than the same address at another provider', async () => {
    await start();
    const google = await world.signIn();
    const github = await world.signIn({ identity_provider: 'GitHub' });
    expect(github.access).toMatchObject({ username: 'github_1234', 'cognito:groups': [`${poolId}_GitHub`] });
    expect(github.identity['identities']).toMatchObject([{ providerName: 'GitHub', providerType: 'OIDC' }]);
    expect(github.identity.sub).not.toBe(google.identity.sub);
    expect(await listed(`email = "${email}"`)).toHaveLength(2);
  });
});

describe('the triggers of a provider sign-in', () => {
  test('get the events that Cognito would send them', async () => {
    const PreSignUp = (event: unknown) => event;
    await start({
      triggers: {
        PreSignUp,
        PostConfirmation: PreSignUp,
      },
    });
    await world.signIn();
    world.changeBrowser();
    await world.signIn();
    const attributes = {
      sub: uuid,
      email,
      email_verified: 'true',
      name: 'Ada',
      identities: expect.stringContaining('"providerName":"Google"'),
      'cognito:user_status': 'EXTERNAL_PROVIDER',
    };
    expect(world.events.map(({ triggerSource }) => triggerSource)).toEqual([
      'PreSignUp_ExternalProvider',
      'PostConfirmation_ConfirmSignUp',
    ]);
    expect(world.events).toMatchObject([
      {
        userName: 'google_1234',
        callerContext: { clientId },
        request: {
          userAttributes: {
            email,
            email_verified: 'true',
            name: 'Ada',
            'cognito:email_alias': '',
            'cognito:phone_number_alias': '',
          },
          validationData: {},
        },
        response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
      },
      { userName: 'google_1234', request: { userAttributes: attributes } },
    ]);
  });

  test('can refuse with a reason, and leave no account', async () => {
    await start({ triggers: { PreSignUp: fail('Verify your email address first.') } });
    const at = await world.browser().go(world.authorizeAddress());
    // Cognito appends this space.
    expect(at.search).toBe(
      '?error_description=PreSignUp+failed+with+error+Verify+your+email+address+first..+&error=invalid_request&state=of-the-site',
    );
    expect(world.browser().cookies.has('cognito')).toBe(false);
    expect(await listed('')).toEqual([]);
  });

  test('end the sign-in when PostConfirmation fails', async () => {
    await start({ triggers: { PostConfirmation: fail('The table is away') } });
    expect(await world.arrive()).toEqual({
      error: 'invalid_request',
      error_description: 'PostConfirmation failed with error The table is away. ',
      state: 'of-the-site',
    });
  });
});

describe('an account that a trigger links', () => {
  test('fails the first sign-in, and signs in as the linked user the second time', async () => {
    await start({ triggers: { PreSignUp: linking } });
    await world.confirmedUser(email);
    const { attributes: before } = await named(email);
    expect(await world.arrive()).toEqual({
      error: 'invalid_request',
      error_description: 'Already found an entry for username google_1234',
      state: 'of-the-site',
    });
    expect(world.browser().cookies.has('cognito')).toBe(false);
    const { access, identity } = await world.signIn();
    expect(access).toMatchObject({ sub: before['sub'], username: before['sub'] });
    expect(access).not.toHaveProperty('cognito:groups');
    expect(identity).toMatchObject({
      'cognito:username': before['sub'],
      identities: [{ providerName: 'Google', userId: '1234', primary: 'false' }],
    });
    expect(await listed('')).toHaveLength(1);
    // The password still works.
    expect((await world.signInRaw(email)).error).toBeUndefined();
  });

  test('gets its attributes from the provider', async () => {
    await start({ triggers: { PreSignUp: linking } });
    await world.confirmedUser(email);
    await world.arrive();
    world.provider.account = { ...world.provider.account, name: 'Countess', email_verified: false };
    const { identity } = await world.signIn();
    expect(identity).toMatchObject({ name: 'Countess', email_verified: false });
  });

  test("cannot take another user's address from the provider's claims", async () => {
    await start({ triggers: { PreSignUp: linking } });
    await world.confirmedUser(email);
    await world.confirmedUser('bob@example.com');
    await world.arrive();
    world.provider.account.email = 'bob@example.com';
    expect(await world.arrive()).toMatchObject({
      error_description: 'An account with the given email already exists.',
    });
  });

  test("can be linked to another provider's user", async () => {
    await start();
    const { identity } = await world.signIn();
    await link({ by: 'GitHub', id: '1234' }, { by: 'Google', id: '1234' });
    const again = await world.signIn({ identity_provider: 'GitHub' });
    expect(again.identity).toMatchObject({ sub: identity.sub, 'cognito:username': 'google_1234' });
    expect(again.identity['identities']).toMatchObject([
      { providerName: 'Google', primary: 'true' },
      { providerName: 'GitHub', primary: 'false' },
    ]);
  });
});

test('an account that is unlinked from a provider is another one from then on', async () => {
  await start({ triggers: { PreSignUp: linking } });
  await world.confirmedUser(email);
  await world.arrive();
  const linked = await world.signIn();
  await world.signed('AdminDisableProviderForUser', {
    User: {
      ProviderName: 'Google',
      ProviderAttributeName: 'Cognito_Subject',
      ProviderAttributeValue: '1234',
    },
  });
  expect((await named(email)).attributes['identities']).toBeUndefined();
  world.changeBrowser();
  world.provider.account = { ...world.provider.account, email: 'other@example.com' };
  expect((await world.signIn()).identity.sub).not.toBe(linked.identity.sub);
});

describe('linking is refused', () => {
  test('for an account that has already signed in', async () => {
    await start();
    await world.confirmedUser(email);
    const { Username } = await named(email);
    await world.signIn();
    expect(await link({ by: 'Google', id: '1234' }, { by: 'Cognito', id: Username })).toMatchObject({
      error: 'InvalidParameterException',
      message:
        'Merging is not currently supported, provide a SourceUser that has not been signed up in order to link',
    });
  });

  test("to a provider's account by its user name", async () => {
    await start();
    await world.signIn();
    const refused = await link({ by: 'GitHub', id: '1' }, { by: 'Cognito', id: 'google_1234' });
    expect(refused.error).toBe('UserNotFoundException');
  });
});

describe("a provider's account", () => {
  test('is found by its address in lists, but not as a user name', async () => {
    await start();
    await world.signIn();
    expect(await listed(`email = "ADA@example.com"`)).toMatchObject([{ Username: 'google_1234' }]);
    expect((await named(email)).error).toBe('UserNotFoundException');
  });

  test('does not block its address for a sign-up with a password', async () => {
    await start();
    await world.signIn();
    await world.confirmedUser(email);
    expect((await named('ADA@example.com')).UserStatus).toBe('CONFIRMED');
    expect(await listed(`email = "${email}"`)).toHaveLength(2);
  });

  test.for([email, 'google_1234'])('does not sign in with a password as %s', async (username) => {
    await start();
    await world.signIn();
    await signOut();
    await expect(signIn({ username, password })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
    expect((await world.signInRaw(username)).message).toBe('Incorrect username or password.');
  });

  test('can neither change a password nor confirm a sign-up', async () => {
    await start();
    const { tokens } = await world.signIn();
    const Username = 'google_1234';
    const asked = { ClientId: clientId, Username };
    expect((await world.call('ResendConfirmationCode', asked)).message).toBe('User is already confirmed.');
    expect((await world.call('ConfirmSignUp', { ...asked, ConfirmationCode: '123456' })).message).toBe(
      'User cannot be confirmed. Current status is EXTERNAL_PROVIDER',
    );
    const changed = await world.call('ChangePassword', {
      AccessToken: tokens.access_token,
      PreviousPassword: password,
      ProposedPassword: 'another horse 2',
    });
    expect(changed.message).toBe('Incorrect username or password.');
    expect((await named(Username)).UserStatus).toBe('EXTERNAL_PROVIDER');
    expect(world.mail.list()).toEqual([]);
  });

  test('is new to its provider after deletion, and its cookie and code are refused', async () => {
    await start();
    const { tokens, identity } = await world.signIn();
    const { code = '' } = await world.arrive();
    await world.call('DeleteUser', { AccessToken: tokens.access_token });
    expect((await world.exchange(code)).body).toEqual({ error: 'invalid_grant' });
    const again = await world.signIn();
    expect(world.provider.visits).toHaveLength(2);
    expect(again.identity.sub).toEqual(uuid);
    expect(again.identity.sub).not.toBe(identity.sub);
  });
});
