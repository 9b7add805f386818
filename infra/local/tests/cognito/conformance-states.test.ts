import { beforeAll, describe, expect, test } from 'vitest';
import { clientId, hours, password, poolId } from '../fixtures/cognito.ts';
import {
  ada,
  customAuthClient,
  grace,
  otherClient,
  quickClient,
  relayClient,
  startConformanceCognito,
  revealingClient,
  type ConformanceCognito,
  type SignedIn,
} from '../fixtures/conformance-cognito.ts';
import { wellFormed } from '../fixtures/well-formed.ts';

let world: ConformanceCognito;
beforeAll(async () => {
  world = await startConformanceCognito();
  await world.confirmedUser(ada);
  await world.signUp(grace);
  return () => world.stop();
});

/** A refusal. Every call's error has to be one that AWS's service model lists for the operation. */
const refusal = (operation: string, body: object) => world.refusal(operation, body);

describe('a list of users', () => {
  test('refuses an unknown pagination token', async () => {
    const list = { UserPoolId: poolId, PaginationToken: 'nowhere' };
    expect((await refusal('ListUsers', list)).error).toBe('InvalidParameterException');
  });

  test.for(['sub', 'email', 'email =', 'shoe_size = "38"', 'email > "a"'])(
    'is not filtered by %s',
    async (Filter) => {
      const { error } = await refusal('ListUsers', { UserPoolId: poolId, Filter });
      expect(error).toBe('InvalidParameterException');
    },
  );
});

describe('an account in the wrong state', () => {
  test('an unconfirmed user cannot sign in', async () => {
    const AuthParameters = { USERNAME: grace, PASSWORD: password };
    expect(await refusal('InitiateAuth', { ...wellFormed['InitiateAuth'], AuthParameters })).toEqual({
      error: 'UserNotConfirmedException',
      message: 'User is not confirmed.',
    });
  });

  test('a password cannot be reset with an unverified address', async () => {
    expect(await refusal('ForgotPassword', { ClientId: revealingClient, Username: grace })).toEqual({
      error: 'InvalidParameterException',
      message: 'Cannot reset password for the user as there is no registered/verified email or phone_number',
    });
  });

  test('a confirmed user cannot be confirmed again by an administrator', async () => {
    expect(await refusal('AdminConfirmSignUp', { UserPoolId: poolId, Username: ada })).toEqual({
      error: 'NotAuthorizedException',
      message: 'User cannot be confirmed. Current status is CONFIRMED',
    });
  });

  test('a reset without a request has no code', async () => {
    const body = { ...wellFormed['ConfirmForgotPassword'], Username: ada };
    expect((await refusal('ConfirmForgotPassword', body)).error).toBe('ExpiredCodeException');
  });

  test('an administrator cannot write the sub or an unknown attribute', async () => {
    for (const Name of ['sub', 'shoe_size', 'custom:shoe_size']) {
      const body = { UserPoolId: poolId, Username: ada, UserAttributes: [{ Name, Value: '38' }] };
      expect((await refusal('AdminUpdateUserAttributes', body)).error).toBe('InvalidParameterException');
    }
  });

  test('an account at a provider of the pool is linked once, and to an existing user by the user name', async () => {
    const { Username } = (await world.signed('AdminGetUser', { Username: ada })).body;
    const link = (id: string, to: string, ProviderName = 'Google') => ({
      UserPoolId: poolId,
      DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: to },
      SourceUser: { ProviderName, ProviderAttributeName: 'Cognito_Subject', ProviderAttributeValue: id },
    });
    const refused = async (body: object) => (await refusal('AdminLinkProviderForUser', body)).error;
    expect(await refused(link('1', Username, 'GitLab'))).toBe('InvalidParameterException');
    for (const to of ['nobody', ada]) expect(await refused(link('1', to))).toBe('UserNotFoundException');
    for (const id of ['1', '2', '3', '4', '5']) {
      await world.signed('AdminLinkProviderForUser', link(id, Username));
    }
    expect(await refused(link('1', Username))).toBe('InvalidParameterException');
    expect(await refused(link('6', Username))).toBe('LimitExceededException');
  });

  test('an address that was taken before its code was used is refused', async () => {
    const wanted = 'wanted@example.com';
    const { AccessToken } = await world.tokens(ada);
    await world.call('UpdateUserAttributes', {
      AccessToken,
      UserAttributes: [{ Name: 'email', Value: wanted }],
    });
    const Code = world.lastMail(wanted).code;
    await world.confirmedUser(wanted);
    const body = { AccessToken, AttributeName: 'email', Code };
    expect((await refusal('VerifyUserAttribute', body)).error).toBe('AliasExistsException');
  });
});

describe('a code', () => {
  const person = async (email: string): Promise<SignedIn> => {
    await world.confirmedUser(email);
    return world.tokens(email);
  };
  /** Requests a code of each kind for a confirmed user. */
  const codesOf = async (email: string, AccessToken: string) => {
    await world.call('ForgotPassword', { ClientId: clientId, Username: email });
    const reset = world.lastMail(email).code;
    let verify = reset;
    while (verify === reset) {
      await world.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName: 'email' });
      verify = world.lastMail(email).code;
    }
    return { reset, verify };
  };

  test('is valid for one purpose only', async () => {
    const email = 'purpose@example.com';
    const { AccessToken } = await person(email);
    const { reset, verify } = await codesOf(email, AccessToken);
    const confirm = { ...wellFormed['ConfirmForgotPassword'], Username: email };
    const prove = { AccessToken, AttributeName: 'email' };
    const mismatch = {
      error: 'CodeMismatchException',
      message: 'Invalid verification code provided, please try again.',
    };
    expect(await refusal('ConfirmForgotPassword', { ...confirm, ConfirmationCode: verify })).toEqual(
      mismatch,
    );
    expect(await refusal('VerifyUserAttribute', { ...prove, Code: reset })).toEqual(mismatch);
    expect((await world.call('VerifyUserAttribute', { ...prove, Code: verify })).error).toBeUndefined();
  });

  test('is valid for one account only, and not in another pool', async () => {
    const email = 'two-pools@example.com';
    await world.signUp(email, otherClient);
    const there = world.lastMail(email).code;
    let here = there;
    await world.signUp(email);
    while (here === there) {
      await world.call('ResendConfirmationCode', { ClientId: clientId, Username: email });
      here = world.lastMail(email).code;
    }
    const confirm = (ClientId: string, ConfirmationCode: string) => ({
      ClientId,
      Username: email,
      ConfirmationCode,
    });
    expect((await refusal('ConfirmSignUp', confirm(clientId, there))).error).toBe('CodeMismatchException');
    expect((await refusal('ConfirmSignUp', confirm(otherClient, here))).error).toBe('CodeMismatchException');
    expect((await world.call('ConfirmSignUp', confirm(clientId, here))).error).toBeUndefined();
  });

  test('for an address is valid for a day', async () => {
    const email = 'day@example.com';
    const { AccessToken } = await person(email);
    const { verify } = await codesOf(email, AccessToken);
    await world.clock.advance(hours(24));
    const body = {
      AccessToken: (await world.tokens(email)).AccessToken,
      AttributeName: 'email',
      Code: verify,
    };
    expect(await refusal('VerifyUserAttribute', body)).toEqual({
      error: 'ExpiredCodeException',
      message: 'Invalid code provided, please request a code again.',
    });
  });

  test('for an address is guessed five times an hour, and sent five times an hour', async () => {
    const { AccessToken } = await person('guesser@example.com');
    const of = { AccessToken, AttributeName: 'email' };
    const tooMany = {
      error: 'LimitExceededException',
      message: 'Attempt limit exceeded, please try after some time.',
    };
    for (let sent = 0; sent < 5; sent += 1) await world.call('GetUserAttributeVerificationCode', of);
    expect(await refusal('GetUserAttributeVerificationCode', of)).toEqual(tooMany);
    const { code } = world.lastMail('guesser@example.com');
    for (let guesses = 0; guesses < 5; guesses += 1) {
      const { error } = await refusal('VerifyUserAttribute', { ...of, Code: 'wrong!' });
      expect(error).toBe('CodeMismatchException');
    }
    expect(await refusal('VerifyUserAttribute', { ...of, Code: code })).toEqual(tooMany);
  });
});

describe('a flow that the client does not allow', () => {
  test.for([
    [clientId, 'USER_PASSWORD_AUTH', 'USER_PASSWORD_AUTH flow not enabled for this client'],
    [quickClient, 'USER_SRP_AUTH', 'USER_SRP_AUTH is not enabled for the client.'],
    [quickClient, 'CUSTOM_AUTH', 'CUSTOM_AUTH is not enabled for the client.'],
    [quickClient, 'USER_AUTH', 'USER_AUTH flow not enabled for this client'],
    [quickClient, 'REFRESH_TOKEN_AUTH', 'REFRESH_TOKEN_AUTH is not enabled for the client.'],
    [quickClient, 'ADMIN_USER_PASSWORD_AUTH', 'Initiate Auth method not supported.'],
    [quickClient, 'ADMIN_NO_SRP_AUTH', 'Initiate Auth method not supported.'],
  ] as const)('%s refuses %s for every user', async ([ClientId, AuthFlow, message]) => {
    const AuthParameters = { USERNAME: ada, PASSWORD: password, SRP_A: 'ab', REFRESH_TOKEN: 'r' };
    expect(await refusal('InitiateAuth', { ClientId, AuthFlow, AuthParameters })).toEqual({
      error: 'InvalidParameterException',
      message,
    });
  });

  test('custom challenges need triggers, and the pool has none', async () => {
    const body = {
      ClientId: customAuthClient,
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME: ada },
    };
    expect(await refusal('InitiateAuth', body)).toEqual({
      error: 'InvalidUserPoolConfigurationException',
      message: 'Custom auth lambda trigger is not configured for the user pool.',
    });
  });

  test('a challenge can only be answered by its client', async () => {
    const { body } = await world.call('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME: ada, SRP_A: 'abcdef' },
    });
    const answer = {
      ClientId: relayClient,
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeResponses: {
        USERNAME: body.ChallengeParameters.USERNAME,
        PASSWORD_CLAIM_SECRET_BLOCK: body.ChallengeParameters.SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: 'AAAA',
        TIMESTAMP: 'Sun Nov 1 10:00:00 UTC 2026',
      },
    };
    expect(await refusal('RespondToAuthChallenge', answer)).toEqual({
      error: 'NotAuthorizedException',
      message: 'Invalid session for the user.',
    });
  });
});
