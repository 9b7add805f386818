import { beforeAll, describe, expect, test } from 'vitest';
import { clientId, password, poolId } from '../fixtures/cognito.ts';
import {
  ada,
  grace,
  otherClient,
  quickClient,
  relayClient,
  startConformanceCognito,
  type ConformanceCognito,
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

  test('a confirmed user cannot be confirmed again by an administrator', async () => {
    expect(await refusal('AdminConfirmSignUp', { UserPoolId: poolId, Username: ada })).toEqual({
      error: 'NotAuthorizedException',
      message: 'User cannot be confirmed. Current status is CONFIRMED',
    });
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
