import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as auth from 'aws-amplify/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../aws/cognito/operations/table.ts';
import { clientId, password } from '../fixtures/cognito.ts';
import {
  ada,
  quickClient,
  startConformanceCognito,
  type ConformanceCognito,
} from '../fixtures/conformance-cognito.ts';

const require = createRequire(import.meta.url);

/** The operations of Cognito that the installed Amplify can call. */
function operationsOfAmplify(): string[] {
  const amplify = createRequire(require.resolve('aws-amplify/package.json'));
  const folder = path.dirname(amplify.resolve('@aws-amplify/auth/package.json'));
  const clients = path.join(folder, 'dist/esm/foundation/factories/serviceClients/cognitoIdentityProvider');
  return readdirSync(clients)
    .map((file) => /^create(\w+)Client\.mjs$/.exec(file)?.[1])
    .filter((name) => name !== undefined);
}

let world: ConformanceCognito;
/** Amplify's storage after Ada's sign-in, the start of each test. */
let signedIn: [string, string][];

beforeAll(async () => {
  world = await startConformanceCognito();
  await world.confirmedUser(ada);
  await auth.signIn({ username: ada, password });
  signedIn = [...world.storage];
});
afterAll(() => world.stop());
beforeEach(() => {
  world.storage.clear();
  for (const [key, value] of signedIn) world.storage.set(key, value);
});

/** Signs Ada out here and signs in another user, whose account a test may delete. */
const signInAs = async (email: string): Promise<void> => {
  await world.confirmedUser(email);
  world.storage.clear();
  await auth.signIn({ username: email, password });
};

// Every export of `aws-amplify/auth`, by the first word of a title: its effect if the product's pool supports
// it, or Cognito's refusal.
describe('unmodified Amplify', () => {
  test('AuthError is what every refusal of Cognito arrives as', async () => {
    const thrown: unknown = await auth
      .confirmSignUp({ username: ada, confirmationCode: '1' })
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(auth.AuthError);
  });

  test('associateWebAuthnCredential is refused: the pool takes no passkeys', async () => {
    await expect(auth.associateWebAuthnCredential()).rejects.toMatchObject({
      name: 'WebAuthnNotEnabledException',
    });
  });

  test('autoSignIn signs in only the user who has just confirmed in this browser', async () => {
    world.storage.clear();
    await expect(auth.autoSignIn()).rejects.toMatchObject({ name: 'AutoSignInException' });
    const username = 'auto@example.com';
    await auth.signUp({ username, password, options: { userAttributes: {}, autoSignIn: true } });
    const confirmed = await auth.confirmSignUp({
      username,
      confirmationCode: world.lastMail(username).code,
    });
    expect(confirmed.nextStep.signUpStep).toBe('COMPLETE_AUTO_SIGN_IN');
    expect((await auth.autoSignIn()).isSignedIn).toBe(true);
  });

  test('confirmResetPassword replaces a password only with the code from the mail', async () => {
    const username = 'reset@example.com';
    await world.confirmedUser(username);
    await auth.resetPassword({ username });
    const { code } = world.lastMail(username);
    const confirmationCode = code === '000000' ? '000001' : '000000';
    await expect(
      auth.confirmResetPassword({ username, confirmationCode, newPassword: 'a newer one' }),
    ).rejects.toMatchObject({ name: 'CodeMismatchException' });
    await auth.confirmResetPassword({ username, confirmationCode: code, newPassword: 'a newer one' });
    expect((await world.tokens(username, quickClient, 'a newer one')).AccessToken).toBeDefined();
  });

  test('confirmSignIn is refused: the password is the only challenge', async () => {
    await expect(auth.confirmSignIn({ challengeResponse: '123456' })).rejects.toMatchObject({
      name: 'SignInException',
    });
  });

  test('confirmSignUp confirms only with the code from the mail', async () => {
    const username = 'confirm@example.com';
    await auth.signUp({ username, password });
    const { code } = world.lastMail(username);
    const wrong = code === '000000' ? '000001' : '000000';
    await expect(auth.confirmSignUp({ username, confirmationCode: wrong })).rejects.toMatchObject({
      name: 'CodeMismatchException',
    });
    const confirmed = await auth.confirmSignUp({ username, confirmationCode: code });
    expect(confirmed.isSignUpComplete).toBe(true);
  });

  test('confirmUserAttribute changes the address after verification, and refuses a wrong code', async () => {
    await signInAs('mover@example.com');
    await auth.updateUserAttributes({ userAttributes: { email: 'moved@example.com' } });
    const { code } = world.lastMail('moved@example.com');
    const wrong = code === '000000' ? '000001' : '000000';
    const confirm = (confirmationCode: string) =>
      auth.confirmUserAttribute({ userAttributeKey: 'email', confirmationCode });
    await expect(confirm(wrong)).rejects.toMatchObject({ name: 'CodeMismatchException' });
    expect((await auth.fetchUserAttributes()).email).toBe('mover@example.com');
    await confirm(code);
    expect((await auth.fetchUserAttributes()).email).toBe('moved@example.com');
  });

  test('decodeJWT reads the issued tokens', async () => {
    const { AccessToken } = await world.tokens(ada);
    expect(auth.decodeJWT(AccessToken).payload).toMatchObject({ token_use: 'access' });
  });

  test('deleteUser deletes the account and ends all its sessions', async () => {
    const email = 'leaver@example.com';
    await signInAs(email);
    await auth.deleteUser();
    await expect(world.tokens(email)).rejects.toThrow('Incorrect username or password.');
    await expect(auth.getCurrentUser()).rejects.toMatchObject({ name: 'UserUnAuthenticatedException' });
  });

  test('deleteUserAttributes removes a name, and refuses to remove the address', async () => {
    await auth.updateUserAttributes({ userAttributes: { nickname: 'Countess' } });
    await auth.deleteUserAttributes({ userAttributeKeys: ['nickname', 'zoneinfo'] });
    expect(await auth.fetchUserAttributes()).not.toHaveProperty('nickname');
    await expect(auth.deleteUserAttributes({ userAttributeKeys: ['email'] })).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'user.email: Required attribute cannot be deleted.',
    });
    expect((await auth.fetchUserAttributes()).email).toBe(ada);
  });

  test('deleteWebAuthnCredential finds no passkey to delete', async () => {
    await expect(auth.deleteWebAuthnCredential({ credentialId: 'abc' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('fetchAuthSession gives the tokens, and gives new ones when asked to', async () => {
    const { tokens, userSub } = await auth.fetchAuthSession();
    const renewed = await auth.fetchAuthSession({ forceRefresh: true });
    expect(renewed.userSub).toBe(userSub);
    expect(renewed.tokens?.accessToken.payload.jti).not.toBe(tokens?.accessToken.payload.jti);
  });

  test('fetchDevices is refused: the pool remembers no devices', async () => {
    await expect(auth.fetchDevices()).rejects.toMatchObject({
      name: 'InvalidUserPoolConfigurationException',
    });
  });

  test('fetchMFAPreference reports no second factor', async () => {
    expect(await auth.fetchMFAPreference()).toEqual({ enabled: undefined, preferred: undefined });
  });

  test('fetchUserAttributes returns the attributes and the sub', async () => {
    expect(await auth.fetchUserAttributes()).toMatchObject({
      email: ada,
      email_verified: 'true',
      sub: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  test('forgetDevice is refused: the pool remembers no devices', async () => {
    await expect(auth.forgetDevice()).rejects.toMatchObject({ name: 'DeviceMetadataNotFoundException' });
    const device = { id: 'us-east-1_0123abcd' };
    await expect(auth.forgetDevice({ device })).rejects.toMatchObject({
      name: 'InvalidUserPoolConfigurationException',
    });
  });

  test('getCurrentUser returns the sub of the signed-in user, and refuses without a session', async () => {
    const { userId, username } = await auth.getCurrentUser();
    expect(username).toBe(userId);
    world.storage.clear();
    await expect(auth.getCurrentUser()).rejects.toMatchObject({ name: 'UserUnAuthenticatedException' });
  });

  test('listWebAuthnCredentials lists no passkeys', async () => {
    expect((await auth.listWebAuthnCredentials()).credentials).toEqual([]);
  });

  test('rememberDevice finds no device key from Cognito', async () => {
    await expect(auth.rememberDevice()).rejects.toMatchObject({ name: 'DeviceMetadataNotFoundException' });
  });

  test('resendSignUpCode sends a new code, and refuses for a confirmed user', async () => {
    const username = 'resend@example.com';
    await auth.signUp({ username, password });
    const sent = world.mail.list().length;
    expect((await auth.resendSignUpCode({ username })).destination).toBe('r***@e***');
    expect(world.mail.list()).toHaveLength(sent + 1);
    await expect(auth.resendSignUpCode({ username: ada })).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'User is already confirmed.',
    });
  });

  test('resetPassword sends a code', async () => {
    const { nextStep } = await auth.resetPassword({ username: ada });
    expect(nextStep.resetPasswordStep).toBe('CONFIRM_RESET_PASSWORD_WITH_CODE');
    expect(world.lastMail(ada).subject).toBe('Your password reset code');
  });

  test('sendUserAttributeVerificationCode sends a code for the address, and refuses other attributes', async () => {
    const send = (userAttributeKey: 'email' | 'phone_number') =>
      auth.sendUserAttributeVerificationCode({ userAttributeKey });
    expect((await send('email')).destination).toBe('a***@e***');
    expect(world.lastMail(ada).subject).toBe('Your verification code');
    await expect(send('phone_number')).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  test('setUpTOTP is refused: the pool has no second factor', async () => {
    await expect(auth.setUpTOTP()).rejects.toMatchObject({
      name: 'SoftwareTokenMFANotFoundException',
      message: 'Software Token MFA has not been enabled by the userPool',
    });
  });

  test('signIn takes the password only by SRP', async () => {
    world.storage.clear();
    const me = { username: ada, password };
    for (const [input, message] of [
      [
        { ...me, options: { authFlowType: 'USER_PASSWORD_AUTH' } },
        'USER_PASSWORD_AUTH flow not enabled for this client',
      ],
      [
        { username: ada, options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } },
        'CUSTOM_AUTH is not enabled for the client.',
      ],
      [{ ...me, options: { authFlowType: 'CUSTOM_WITH_SRP' } }, 'CUSTOM_AUTH is not enabled for the client.'],
      [
        { username: ada, options: { authFlowType: 'USER_AUTH' } },
        'USER_AUTH flow not enabled for this client',
      ],
    ] satisfies [auth.SignInInput, string][]) {
      await expect(auth.signIn(input)).rejects.toMatchObject({
        name: 'InvalidParameterException',
        message: message,
      });
    }
    await expect(auth.getCurrentUser()).rejects.toMatchObject({ name: 'UserUnAuthenticatedException' });
    expect(await auth.signIn(me)).toEqual({ isSignedIn: true, nextStep: { signInStep: 'DONE' } });
    await expect(auth.signIn(me)).rejects.toMatchObject({ name: 'UserAlreadyAuthenticatedException' });
  });

  test('signInWithRedirect needs the hosted domain, which this configuration lacks', async () => {
    world.storage.clear();
    await expect(auth.signInWithRedirect({ provider: 'Google' })).rejects.toMatchObject({
      name: 'OAuthNotConfigureException',
    });
  });

  test('signOut revokes the refresh token, and with it the access token', async () => {
    const email = 'out@example.com';
    await signInAs(email);
    const AccessToken = (await auth.fetchAuthSession()).tokens?.accessToken.toString();
    const RefreshToken = [...world.storage].find(([key]) => key.endsWith('.refreshToken'))?.[1];
    await auth.signOut();
    expect((await world.call('GetUser', { AccessToken })).error).toBe('NotAuthorizedException');
    const refresh = { ClientId: clientId, RefreshToken };
    expect((await world.call('GetTokensFromRefreshToken', refresh)).error).toBe('NotAuthorizedException');
  });

  test('signUp opens an account once for one address', async () => {
    const username = 'new@example.com';
    const { nextStep } = await auth.signUp({ username, password });
    expect(nextStep.signUpStep).toBe('CONFIRM_SIGN_UP');
    await expect(auth.signUp({ username, password })).rejects.toMatchObject({
      name: 'UsernameExistsException',
    });
  });

  test('updateMFAPreference is refused: the pool has no second factor to prefer', async () => {
    for (const factor of ['sms', 'totp', 'email'] as const) {
      await expect(auth.updateMFAPreference({ [factor]: 'PREFERRED' })).rejects.toMatchObject({
        name: 'InvalidParameterException',
      });
    }
    await auth.updateMFAPreference({ totp: 'DISABLED' });
  });

  test('updatePassword changes the password if the old password is right', async () => {
    const email = 'changer@example.com';
    await signInAs(email);
    const newPassword = 'a newer one';
    await expect(auth.updatePassword({ oldPassword: 'wrong horse', newPassword })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
    await auth.updatePassword({ oldPassword: password, newPassword });
    await expect(world.tokens(email)).rejects.toThrow('Incorrect username or password.');
    expect((await world.tokens(email, quickClient, newPassword)).AccessToken).toBeDefined();
  });

  test('updateUserAttribute changes an attribute, and refuses to empty the address', async () => {
    const write = (attributeKey: string, value: string) =>
      auth.updateUserAttribute({ userAttribute: { attributeKey, value } });
    expect((await write('name', 'Ada King')).isUpdated).toBe(true);
    await expect(write('email', '')).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'user.email: Required attribute cannot be deleted.',
    });
  });

  test('updateUserAttributes changes all given attributes or none', async () => {
    const refusedNames = { name: 'Somebody Else', email_verified: 'true' };
    await expect(auth.updateUserAttributes({ userAttributes: refusedNames })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    });
    expect((await auth.fetchUserAttributes()).name).not.toBe('Somebody Else');
  });

  test('verifyTOTPSetup is refused: the pool has no second factor', async () => {
    await expect(auth.verifyTOTPSetup({ code: '123456' })).rejects.toMatchObject({
      name: 'SoftwareTokenMFANotFoundException',
    });
  });

  test('there is a test for every export of Amplify', ({ task }) => {
    const named = (task.suite?.tasks ?? []).map(({ name }) => name.split(' ')[0]);
    expect(named).toEqual(expect.arrayContaining(Object.keys(auth)));
  });

  test('the stand-in has every operation that Amplify can call', () => {
    const called = operationsOfAmplify();
    expect(called).toContain('InitiateAuth');
    expect(called.filter((name) => !operations.has(name))).toEqual([]);
  });
});
