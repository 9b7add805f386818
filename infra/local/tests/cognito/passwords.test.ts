import { confirmResetPassword, resetPassword, signIn, updatePassword } from 'aws-amplify/auth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientId, hours, password, startCognito, type CognitoStandIn } from '../fixtures/cognito.ts';

const email = 'ada@example.com';
const newPassword = 'battery staple 2';

describe('passwords', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
    await world.confirmedUser(email);
  });
  afterEach(() => world.stop());

  test('a forgotten password is replaced with the code from the mail, once', async () => {
    const reset = await resetPassword({ username: email });
    expect(reset.nextStep).toMatchObject({
      resetPasswordStep: 'CONFIRM_RESET_PASSWORD_WITH_CODE',
      codeDeliveryDetails: { destination: 'a***@e***' },
    });
    const confirmationCode = world.lastMail(email).code;
    await confirmResetPassword({ username: email, confirmationCode, newPassword });
    expect((await world.signInRaw(email)).error).toBe('NotAuthorizedException');
    expect((await signIn({ username: email, password: newPassword })).isSignedIn).toBe(true);

    await expect(
      confirmResetPassword({ username: email, confirmationCode, newPassword: 'a third one' }),
    ).rejects.toMatchObject({
      name: 'ExpiredCodeException',
      message: 'Invalid code provided, please request a code again.',
    });
  });

  test('the user name works like the address', async () => {
    const { AccessToken } = (await world.signInRaw(email)).body.AuthenticationResult;
    const username = (await world.call('GetUser', { AccessToken })).body.Username;
    await resetPassword({ username });
    await confirmResetPassword({ username, confirmationCode: world.lastMail(email).code, newPassword });
    expect((await world.signInRaw(email, newPassword)).error).toBeUndefined();
  });

  test('a reset code lasts an hour', async () => {
    await resetPassword({ username: email });
    await world.clock.advance(hours(1));
    await expect(
      confirmResetPassword({ username: email, confirmationCode: world.lastMail(email).code, newPassword }),
    ).rejects.toMatchObject({ name: 'ExpiredCodeException' });
  });

  test('a refused new password does not use up the code', async () => {
    await resetPassword({ username: email });
    const confirmationCode = world.lastMail(email).code;
    await expect(
      confirmResetPassword({ username: email, confirmationCode, newPassword: 'short' }),
    ).rejects.toMatchObject({ name: 'InvalidPasswordException' });
    await confirmResetPassword({ username: email, confirmationCode, newPassword });
  });

  test('wrong reset codes are counted', async () => {
    await resetPassword({ username: email });
    const confirm = (ConfirmationCode: string) =>
      world.call('ConfirmForgotPassword', {
        ClientId: clientId,
        Username: email,
        ConfirmationCode,
        Password: newPassword,
      });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await confirm('wrong!')).error).toBe('CodeMismatchException');
    }
    expect((await confirm(world.lastMail(email).code)).error).toBe('LimitExceededException');
  });

  test('resets are requested at most five times an hour', async () => {
    const ask = () => world.call('ForgotPassword', { ClientId: clientId, Username: email });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await ask()).error).toBeUndefined();
    expect((await ask()).error).toBe('LimitExceededException');
  });

  test.for(['nobody@example.com', 'unconfirmed@example.com'])(
    'asking to reset that of %s answers as always and sends nothing',
    async (Username) => {
      await world.call('SignUp', {
        ClientId: clientId,
        Username: 'unconfirmed@example.com',
        Password: password,
      });
      const sent = world.mail.list().length;
      const reset = await world.call('ForgotPassword', { ClientId: clientId, Username });
      expect(reset.body.CodeDeliveryDetails).toEqual({
        AttributeName: 'email',
        DeliveryMedium: 'EMAIL',
        Destination: `${Username[0]}***@e***`,
      });
      expect(world.mail.list()).toHaveLength(sent);
    },
  );

  test('confirming a reset for an unknown address says that the code is wrong', async () => {
    await expect(
      confirmResetPassword({ username: 'nobody@example.com', confirmationCode: '123456', newPassword }),
    ).rejects.toMatchObject({ name: 'CodeMismatchException' });
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

test.for([
  ['abcdefgh1!', 'Password must have uppercase characters'],
  ['ABCDEFGH1!', 'Password must have lowercase characters'],
  ['Abcdefghi!', 'Password must have numeric characters'],
  ['Abcdefghi1', 'Password must have symbol characters'],
  ['Abc1!', 'Password not long enough'],
])('a strict pool refuses %s: %s', async ([Password, reason]) => {
  const world = await startCognito({
    pool: {
      Policies: {
        PasswordPolicy: {
          MinimumLength: 8,
          RequireLowercase: true,
          RequireNumbers: true,
          RequireSymbols: true,
          RequireUppercase: true,
        },
      },
    },
  });
  try {
    const refused = await world.call('SignUp', { ClientId: clientId, Username: email, Password });
    expect(refused).toMatchObject({
      error: 'InvalidPasswordException',
      message: `Password did not conform with policy: ${reason}`,
    });
  } finally {
    await world.stop();
  }
});
