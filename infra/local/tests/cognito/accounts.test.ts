import {
  confirmSignUp,
  confirmUserAttribute,
  fetchUserAttributes,
  resendSignUpCode,
  signIn,
  signUp,
  updatePassword,
  updateUserAttributes,
} from 'aws-amplify/auth';
import { beforeEach, describe, expect, test } from 'vitest';
import { clientId, hours, password, startCognito, type CognitoStandIn } from '../fixtures/cognito.ts';

const email = 'ada@example.com';
const register = (username = email) =>
  signUp({ username, password, options: { userAttributes: { email: username, name: 'Ada' } } });

describe('accounts', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
    return () => world.stop();
  });

  test('signing up sends a code, and the code confirms the account', async () => {
    const signedUp = await register();
    expect(signedUp).toMatchObject({
      isSignUpComplete: false,
      nextStep: {
        signUpStep: 'CONFIRM_SIGN_UP',
        codeDeliveryDetails: { attributeName: 'email', deliveryMedium: 'EMAIL', destination: 'a***@e***' },
      },
    });
    const { code, subject } = world.lastMail(email);
    expect(code).toMatch(/^\d{6}$/);
    expect(subject).toBe('Your confirmation code');

    const confirmed = await confirmSignUp({ username: email, confirmationCode: code });
    expect(confirmed.isSignUpComplete).toBe(true);
    await expect(confirmSignUp({ username: email, confirmationCode: code })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'User cannot be confirmed. Current status is CONFIRMED',
    });
    await expect(resendSignUpCode({ username: email })).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'User is already confirmed.',
    });
  });

  test('a wrong code is refused and the right one still works', async () => {
    await register();
    const { code } = world.lastMail(email);
    const wrong = code === '000000' ? '000001' : '000000';
    await expect(confirmSignUp({ username: email, confirmationCode: wrong })).rejects.toMatchObject({
      name: 'CodeMismatchException',
      message: 'Invalid verification code provided, please try again.',
    });
    await confirmSignUp({ username: email, confirmationCode: code });
  });

  test('a code is refused after a day, and a new code works', async () => {
    await register();
    const { code } = world.lastMail(email);
    await world.clock.advance(hours(24));
    await expect(confirmSignUp({ username: email, confirmationCode: code })).rejects.toMatchObject({
      name: 'ExpiredCodeException',
      message: 'Invalid code provided, please request a code again.',
    });
    await resendSignUpCode({ username: email });
    await confirmSignUp({ username: email, confirmationCode: world.lastMail(email).code });
  });

  test('a new code replaces the previous code', async () => {
    await register();
    const first = world.lastMail(email).code;
    let second = first;
    while (second === first) {
      await resendSignUpCode({ username: email });
      second = world.lastMail(email).code;
    }
    await expect(confirmSignUp({ username: email, confirmationCode: first })).rejects.toMatchObject({
      name: 'CodeMismatchException',
    });
    await confirmSignUp({ username: email, confirmationCode: second });
  });

  test('after five wrong codes in an hour even the right code is refused', async () => {
    await register();
    const { code } = world.lastMail(email);
    const confirm = (ConfirmationCode: string) =>
      world.call('ConfirmSignUp', { ClientId: clientId, Username: email, ConfirmationCode });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await confirm('wrong!')).error).toBe('CodeMismatchException');
    }
    expect(await confirm(code)).toMatchObject({
      error: 'LimitExceededException',
      message: 'Attempt limit exceeded, please try after some time.',
    });
    await world.clock.advance(hours(1));
    expect((await confirm(code)).error).toBeUndefined();
  });

  test('codes are sent at most five times an hour', async () => {
    await register();
    const resend = () => world.call('ResendConfirmationCode', { ClientId: clientId, Username: email });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await resend()).error).toBeUndefined();
    expect((await resend()).error).toBe('LimitExceededException');
    expect(world.mail.list()).toHaveLength(6);
  });

  test.for([
    [
      'too short',
      'abc12',
      'InvalidPasswordException',
      'Password did not conform with policy: Password not long enough',
    ],
    [
      'with a space at its end',
      'abc1234 ',
      'InvalidParameterException',
      "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$",
    ],
  ])('a password %s is refused in the words of Cognito', async ([, secret, name, message]) => {
    await expect(signUp({ username: email, password: secret ?? '' })).rejects.toMatchObject({
      name,
      message,
    });
    expect(world.mail.list()).toEqual([]);
  });

  test.for([
    ['not-an-address', [], 'Username should be an email.'],
    ['ada@nowhere', [], 'Invalid email address format.'],
    [
      email,
      [{ Name: 'shoe_size', Value: '38' }],
      'Attributes did not conform to the schema: Type for attribute {shoe_size} could not be determined',
    ],
  ] as const)('signing up %s with %j is refused', async ([Username, UserAttributes, message]) => {
    const refused = await world.call('SignUp', {
      ClientId: clientId,
      Username,
      Password: password,
      UserAttributes,
    });
    expect(refused).toMatchObject({ status: 400, error: 'InvalidParameterException', message });
  });

  test('a user cannot mark their own address as verified', async () => {
    const UserAttributes = [{ Name: 'email_verified', Value: 'true' }];
    const refused = await world.call('SignUp', {
      ClientId: clientId,
      Username: email,
      Password: password,
      UserAttributes,
    });
    expect(refused.error).toBe('NotAuthorizedException');
  });
});

test('the old address stays until the new address is verified', async () => {
  const world = await startCognito();
  try {
    await world.confirmedUser(email);
    await world.confirmedUser('taken@example.com');
    await signIn({ username: email, password });
    await expect(
      updateUserAttributes({ userAttributes: { email: 'Taken@example.com' } }),
    ).rejects.toMatchObject({ name: 'AliasExistsException' });
    const moved = 'ada@lovelace.example';
    const updated = await updateUserAttributes({ userAttributes: { email: moved, name: 'Ada Lovelace' } });
    expect(updated.email?.nextStep.updateAttributeStep).toBe('CONFIRM_ATTRIBUTE_WITH_CODE');
    expect(await fetchUserAttributes()).toMatchObject({
      email,
      email_verified: 'true',
      name: 'Ada Lovelace',
    });
    await confirmUserAttribute({ userAttributeKey: 'email', confirmationCode: world.lastMail(moved).code });
    expect(await fetchUserAttributes()).toMatchObject({ email: moved, email_verified: 'true' });
  } finally {
    await world.stop();
  }
});

const newPassword = 'battery staple 2';

describe('passwords', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
    await world.confirmedUser(email);
    return () => world.stop();
  });

  test('a change needs the old password, with five tries an hour', async () => {
    await signIn({ username: email, password });
    await expect(updatePassword({ oldPassword: 'wrong horse', newPassword })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
    await expect(updatePassword({ oldPassword: password, newPassword: 'short' })).rejects.toMatchObject({
      name: 'InvalidPasswordException',
    });
    await updatePassword({ oldPassword: password, newPassword });
    const { AccessToken } = (await world.signInRaw(email, newPassword)).body.AuthenticationResult;
    const guess = { AccessToken, PreviousPassword: 'wrong horse', ProposedPassword: newPassword };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await world.call('ChangePassword', guess)).error).toBe('NotAuthorizedException');
    }
    expect((await world.call('ChangePassword', guess)).error).toBe('LimitExceededException');
  });
});
