import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../aws/cognito/operations/table.ts';
import { clientId, hours, minutes, password, poolId } from '../fixtures/cognito.ts';
import { documentedErrors, requiredMembers } from '../fixtures/conformance-documents.ts';
import {
  ada,
  customAuthClient,
  grace,
  unknownEmail,
  otherClient,
  otherPoolId,
  quickClient,
  relayClient,
  startConformanceCognito,
  revealingClient,
  type ConformanceCognito,
  type SignedIn,
} from '../fixtures/conformance-cognito.ts';

let world: ConformanceCognito;
beforeAll(async () => {
  world = await startConformanceCognito();
  await world.confirmedUser(ada);
  await world.signUp(grace);
});
afterAll(() => world.stop());

const SIGNED = /^Admin|^ListUsers$/;

/** A refusal. It has to be listed in Cognito's reference of the operation. */
const refusal = async (operation: string, body: unknown) => {
  const answer = SIGNED.test(operation)
    ? await world.signed(operation, body)
    : await world.call(operation, body);
  const documented = documentedErrors(operation).has(answer.error ?? 'none');
  expect({ operation, ...answer, documented }).toMatchObject({ status: 400, documented: true });
  return { error: answer.error, message: answer.message };
};

/** A valid request for each operation. The table has to be complete. */
const wellFormed: Record<string, Record<string, unknown>> = {
  AdminCreateUser: { UserPoolId: poolId, Username: unknownEmail, MessageAction: 'SUPPRESS' },
  AdminDeleteUser: { UserPoolId: poolId, Username: unknownEmail },
  AdminDisableProviderForUser: {
    UserPoolId: poolId,
    User: {
      ProviderName: 'Google',
      ProviderAttributeName: 'Cognito_Subject',
      ProviderAttributeValue: '1',
    },
  },
  AdminDisableUser: { UserPoolId: poolId, Username: unknownEmail },
  AdminEnableUser: { UserPoolId: poolId, Username: unknownEmail },
  AdminGetUser: { UserPoolId: poolId, Username: unknownEmail },
  AdminLinkProviderForUser: {
    UserPoolId: poolId,
    DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: unknownEmail },
    SourceUser: {
      ProviderName: 'Google',
      ProviderAttributeName: 'Cognito_Subject',
      ProviderAttributeValue: '1',
    },
  },
  AdminResetUserPassword: { UserPoolId: poolId, Username: unknownEmail },
  AdminSetUserPassword: {
    UserPoolId: poolId,
    Username: unknownEmail,
    Password: password,
    Permanent: true,
  },
  AdminUpdateUserAttributes: {
    UserPoolId: poolId,
    Username: unknownEmail,
    UserAttributes: [{ Name: 'name', Value: 'N' }],
  },
  AdminUserGlobalSignOut: { UserPoolId: poolId, Username: unknownEmail },
  AssociateSoftwareToken: { AccessToken: 'a.b.c' },
  ChangePassword: { AccessToken: 'a.b.c', PreviousPassword: password, ProposedPassword: password },
  CompleteWebAuthnRegistration: { AccessToken: 'a.b.c', Credential: {} },
  ConfirmDevice: { AccessToken: 'a.b.c', DeviceKey: 'us-east-1_0a' },
  ConfirmForgotPassword: {
    ClientId: clientId,
    Username: unknownEmail,
    ConfirmationCode: '123456',
    Password: password,
  },
  ConfirmSignUp: { ClientId: clientId, Username: unknownEmail, ConfirmationCode: '123456' },
  DeleteUser: { AccessToken: 'a.b.c' },
  DeleteUserAttributes: { AccessToken: 'a.b.c', UserAttributeNames: ['name'] },
  DeleteWebAuthnCredential: { AccessToken: 'a.b.c', CredentialId: 'x' },
  ForgetDevice: { AccessToken: 'a.b.c', DeviceKey: 'us-east-1_0a' },
  ForgotPassword: { ClientId: clientId, Username: unknownEmail },
  GetTokensFromRefreshToken: { ClientId: clientId, RefreshToken: 'r' },
  GetUser: { AccessToken: 'a.b.c' },
  GetUserAttributeVerificationCode: { AccessToken: 'a.b.c', AttributeName: 'email' },
  GlobalSignOut: { AccessToken: 'a.b.c' },
  InitiateAuth: {
    ClientId: quickClient,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: unknownEmail, PASSWORD: password },
  },
  ListDevices: { AccessToken: 'a.b.c' },
  ListUsers: { UserPoolId: poolId },
  ListWebAuthnCredentials: { AccessToken: 'a.b.c' },
  ResendConfirmationCode: { ClientId: clientId, Username: unknownEmail },
  RespondToAuthChallenge: { ClientId: clientId, ChallengeName: 'PASSWORD_VERIFIER' },
  RevokeToken: { ClientId: clientId, Token: 'r' },
  SetUserMFAPreference: { AccessToken: 'a.b.c' },
  SignUp: { ClientId: clientId, Username: unknownEmail, Password: password },
  StartWebAuthnRegistration: { AccessToken: 'a.b.c' },
  UpdateDeviceStatus: { AccessToken: 'a.b.c', DeviceKey: 'us-east-1_0a' },
  UpdateUserAttributes: { AccessToken: 'a.b.c', UserAttributes: [{ Name: 'name', Value: 'N' }] },
  VerifySoftwareToken: { AccessToken: 'a.b.c', UserCode: '123456' },
  VerifyUserAttribute: { AccessToken: 'a.b.c', AttributeName: 'email', Code: '123456' },
};
const having = (member: string): string[] =>
  Object.keys(wellFormed).filter((operation) => member in (wellFormed[operation] ?? {}));

test('every operation of the stand-in has a request here', () => {
  expect(Object.keys(wellFormed).toSorted()).toEqual([...operations.keys()].toSorted());
});

describe('an invalid request', () => {
  test.for(Object.keys(wellFormed))('%s names each member it lacks', async (operation) => {
    const { error, message } = await refusal(operation, {});
    expect(error).toBe('InvalidParameterException');
    for (const member of requiredMembers(operation)) {
      const name = member.slice(0, 1).toLowerCase() + member.slice(1);
      expect(message).toMatch(
        new RegExp(`Value (null )?at '${name}' failed to satisfy constraint: Member must not be null`),
      );
    }
  });

  // The constraints of the API reference, in the words of Cognito's front end.
  test.for([
    ['ClientId', '', 'Member must have length greater than or equal to 1'],
    ['ClientId', 'x'.repeat(129), 'Member must have length less than or equal to 128'],
    ['ClientId', 'a b', 'Member must satisfy regular expression pattern: [\\w+]+'],
    ['UserPoolId', 'nowhere', 'Member must satisfy regular expression pattern: [\\w-]+_[0-9a-zA-Z]+'],
    ['UserPoolId', `us_${'x'.repeat(60)}`, 'Member must have length less than or equal to 55'],
    [
      'Username',
      'a b@example.com',
      'Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+',
    ],
    ['Username', `${'x'.repeat(120)}@example.com`, 'Member must have length less than or equal to 128'],
    ['Password', ' abcdef', 'Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$'],
    ['Password', 'x', 'Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$'],
    ['Password', 'x'.repeat(257), 'Member must have length less than or equal to 256'],
    ['ProposedPassword', 'abcdef ', 'Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$'],
    ['PreviousPassword', 'x'.repeat(257), 'Member must have length less than or equal to 256'],
    ['ConfirmationCode', '123 456', 'Member must satisfy regular expression pattern: [\\S]+'],
    ['ConfirmationCode', 'x'.repeat(2049), 'Member must have length less than or equal to 2048'],
    ['Code', '123 456', 'Member must satisfy regular expression pattern: [\\S]+'],
    ['AccessToken', 'not a token', 'Member must satisfy regular expression pattern: [A-Za-z0-9-_=.]+'],
    ['RefreshToken', 'not a token', 'Member must satisfy regular expression pattern: [A-Za-z0-9-_=.]+'],
    ['Token', 'not a token', 'Member must satisfy regular expression pattern: [A-Za-z0-9-_=.]+'],
  ] as const)('%s of "%s": %s', async ([member, value, constraint]) => {
    const concerned = having(member);
    expect(concerned).not.toEqual([]);
    for (const operation of concerned) {
      const { error, message } = await refusal(operation, { ...wellFormed[operation], [member]: value });
      const name = member.slice(0, 1).toLowerCase() + member.slice(1);
      expect({ operation, error, message }).toEqual({
        operation,
        error: 'InvalidParameterException',
        message: expect.stringContaining(`at '${name}' failed to satisfy constraint: ${constraint}`),
      });
      expect(message).toMatch(/^\d validation errors? detected: /);
    }
  });

  test.for([
    [
      'InitiateAuth',
      { AuthFlow: 'MAGIC' },
      'authFlow',
      /^Member must satisfy enum value set: \[.*USER_SRP_AUTH/,
    ],
    ['RespondToAuthChallenge', { ChallengeName: 'RIDDLE' }, 'challengeName', /PASSWORD_VERIFIER/],
    ['RespondToAuthChallenge', { Session: 'short' }, 'session', /greater than or equal to 20$/],
    ['ListUsers', { Limit: 61 }, 'limit', /^Member must have value less than or equal to 60$/],
    ['ListUsers', { Filter: 'x'.repeat(257) }, 'filter', /less than or equal to 256$/],
    ['SignUp', { UserAttributes: [{ Name: 'x'.repeat(33) }] }, 'userAttributes.1.member.name', /32$/],
    [
      'SignUp',
      { UserAttributes: [{ Name: 'name', Value: 'x'.repeat(2049) }] },
      'userAttributes.1.member.value',
      /2048$/,
    ],
    ['VerifySoftwareToken', { UserCode: 'abcdef' }, 'userCode', /pattern: \[0-9\]\+$/],
    ['DeleteUserAttributes', { UserAttributeNames: [''] }, 'userAttributeNames.1.member', /equal to 1$/],
  ] as const)('%s with %j is refused at %s', async ([operation, change, member, constraint]) => {
    const { error, message } = await refusal(operation, { ...wellFormed[operation], ...change });
    expect(error).toBe('InvalidParameterException');
    const [, at, words = ''] =
      /^1 validation error detected: Value .*?at '([^']+)' failed to satisfy constraint: (.*)$/.exec(
        message ?? '',
      ) ?? [];
    expect(at).toBe(member);
    expect(words).toMatch(constraint);
  });

  test.for([
    ['USER_PASSWORD_AUTH', {}, 'USERNAME'],
    ['USER_PASSWORD_AUTH', { USERNAME: ada }, 'PASSWORD'],
    ['USER_PASSWORD_AUTH', { USERNAME: '', PASSWORD: password }, 'USERNAME'],
  ] as const)('%s with %j lacks %s', async ([AuthFlow, AuthParameters, name]) => {
    expect(await refusal('InitiateAuth', { ClientId: quickClient, AuthFlow, AuthParameters })).toEqual({
      error: 'InvalidParameterException',
      message: `Missing required parameter ${name}`,
    });
  });

  test('a response to the password challenge needs all its parts', async () => {
    const whole = {
      USERNAME: ada,
      PASSWORD_CLAIM_SECRET_BLOCK: 'AAAA',
      PASSWORD_CLAIM_SIGNATURE: 'AAAA',
      TIMESTAMP: 'Sun Nov 1 10:00:00 UTC 2026',
    };
    for (const name of Object.keys(whole)) {
      const ChallengeResponses = { ...whole, [name]: '' };
      const body = { ClientId: clientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses };
      expect(await refusal('RespondToAuthChallenge', body)).toEqual({
        error: 'InvalidParameterException',
        message: `Missing required parameter ${name}`,
      });
    }
  });
});

describe('a request about an unknown object', () => {
  test.for(having('ClientId'))('%s refuses an unknown client', async (operation) => {
    // RevokeToken's reference lists no ResourceNotFoundException.
    const expected =
      operation === 'RevokeToken'
        ? { error: 'UnauthorizedException', message: 'Invalid client.' }
        : { error: 'ResourceNotFoundException', message: 'User pool client nobodys does not exist.' };
    const body = { ...wellFormed[operation], ClientId: 'nobodys' };
    expect(await refusal(operation, body)).toEqual(expected);
  });

  test.for(having('UserPoolId'))('%s refuses an unknown pool', async (operation) => {
    const UserPoolId = 'us-east-1_Nowhere';
    expect(await refusal(operation, { ...wellFormed[operation], UserPoolId })).toEqual({
      error: 'ResourceNotFoundException',
      message: 'User pool us-east-1_Nowhere does not exist.',
    });
  });

  const ofNoUser = ['AdminCreateUser', 'ListUsers'];
  test.for(having('UserPoolId').filter((operation) => !ofNoUser.includes(operation)))(
    '%s refuses a user of another pool',
    async (operation) => {
      const request = { ...wellFormed[operation], UserPoolId: otherPoolId };
      const named =
        operation === 'AdminLinkProviderForUser'
          ? { ...request, DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: ada } }
          : { ...request, Username: ada };
      expect(await refusal(operation, named)).toEqual({
        error: 'UserNotFoundException',
        message: 'User does not exist.',
      });
    },
  );

  test.for([
    ['InitiateAuth', 'User does not exist.'],
    ['ForgotPassword', 'Username/client id combination not found.'],
    ['ConfirmForgotPassword', 'Username/client id combination not found.'],
    ['ResendConfirmationCode', 'Username/client id combination not found.'],
    ['ConfirmSignUp', 'Username/client id combination not found.'],
  ] as const)('%s names an unknown user at a client that tells', async ([operation, message]) => {
    expect(await refusal(operation, { ...wellFormed[operation], ClientId: revealingClient })).toEqual({
      error: 'UserNotFoundException',
      message,
    });
  });
});

describe('a list of users', () => {
  test('refuses an attribute that no user on the page has', async () => {
    const list = { UserPoolId: poolId, AttributesToGet: ['name'] };
    expect((await refusal('ListUsers', list)).error).toBe('InvalidParameterException');
    for (const inherited of ['toString', '__proto__']) {
      const asked = { UserPoolId: poolId, AttributesToGet: [inherited] };
      expect((await refusal('ListUsers', asked)).error).toBe('InvalidParameterException');
    }
    const named = await world.signed('ListUsers', { ...list, Filter: `email = "${ada}"` });
    expect(named.body.Users).toMatchObject([{ Attributes: [{ Name: 'name', Value: 'Ada' }] }]);
  });

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

  test('a reset without a request has no code', async () => {
    const body = { ...wellFormed['ConfirmForgotPassword'], Username: ada };
    expect((await refusal('ConfirmForgotPassword', body)).error).toBe('ExpiredCodeException');
  });

  test('an administrator cannot set an address that another user has', async () => {
    await world.confirmedUser('taken@example.com');
    const body = {
      UserPoolId: poolId,
      Username: ada,
      UserAttributes: [{ Name: 'email', Value: 'TAKEN@example.com' }],
    };
    expect((await refusal('AdminUpdateUserAttributes', body)).error).toBe('AliasExistsException');
  });

  test('an administrator cannot write the sub or an unknown attribute', async () => {
    for (const Name of ['sub', 'shoe_size', 'custom:shoe_size']) {
      const body = { UserPoolId: poolId, Username: ada, UserAttributes: [{ Name, Value: '38' }] };
      expect((await refusal('AdminUpdateUserAttributes', body)).error).toBe('InvalidParameterException');
    }
  });

  test('only an account at a provider of the pool can be linked, and only to an existing user', async () => {
    const link = wellFormed['AdminLinkProviderForUser'];
    const nowhere = {
      ProviderName: 'GitLab',
      ProviderAttributeName: 'Cognito_Subject',
      ProviderAttributeValue: '1',
    };
    const unknownProvider = await refusal('AdminLinkProviderForUser', { ...link, SourceUser: nowhere });
    expect(unknownProvider.error).toBe('InvalidParameterException');
    expect((await refusal('AdminLinkProviderForUser', link)).error).toBe('UserNotFoundException');
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

  test.for(['SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'NEW_PASSWORD_REQUIRED', 'CUSTOM_CHALLENGE', 'WEB_AUTHN'])(
    'no sign-in leads to %s',
    async (ChallengeName) => {
      const body = { ClientId: clientId, ChallengeName, ChallengeResponses: { USERNAME: ada } };
      expect(await refusal('RespondToAuthChallenge', body)).toEqual({
        error: 'InvalidParameterException',
        message: 'Missing required parameter Session',
      });
      expect(await refusal('RespondToAuthChallenge', { ...body, Session: 'x'.repeat(20) })).toEqual({
        error: 'NotAuthorizedException',
        message: 'Invalid session for the user.',
      });
    },
  );

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

describe('an invalid access token', () => {
  let tokens: Record<string, { AccessToken: string; error: string; message: string }>;

  beforeAll(async () => {
    for (const name of ['expired', 'out', 'deleted', 'holder']) {
      await world.confirmedUser(`${name}@example.com`);
    }
    await world.confirmedElsewhere('holder@example.com');
    const expired = await world.tokens('expired@example.com');
    await world.clock.advance(minutes(15));
    const holder = await world.tokens('holder@example.com');
    const elsewhere = await world.tokens('holder@example.com', otherClient);
    const out = await world.tokens('out@example.com');
    await world.call('RevokeToken', { ClientId: quickClient, Token: out.RefreshToken });
    const deleted = await world.tokens('deleted@example.com');
    await world.call('DeleteUser', { AccessToken: deleted.AccessToken });

    const [header, payload, signature] = holder.AccessToken.split('.');
    const [otherHeader, otherPayload, otherSignature] = elsewhere.AccessToken.split('.');
    const invalid = { error: 'NotAuthorizedException', message: 'Invalid Access Token' };
    tokens = {
      'an ID token': { AccessToken: holder.IdToken, ...invalid },
      'a refresh token': { AccessToken: holder.RefreshToken, ...invalid },
      "one with another's signature": {
        AccessToken: `${header}.${payload}.${expired.AccessToken.split('.')[2]}`,
        ...invalid,
      },
      'one that another pool signed': {
        AccessToken: `${otherHeader}.${payload}.${otherSignature}`,
        ...invalid,
      },
      "another pool's claims under this pool's signature": {
        AccessToken: `${header}.${otherPayload}.${signature}`,
        ...invalid,
      },
      'one without a signature': { AccessToken: `${header}.${payload}.`, ...invalid },
      'an expired one': {
        AccessToken: expired.AccessToken,
        error: 'NotAuthorizedException',
        message: 'Access Token has expired',
      },
      'a revoked one': {
        AccessToken: out.AccessToken,
        error: 'NotAuthorizedException',
        message: 'Access Token has been revoked',
      },
      "a deleted user's": {
        AccessToken: deleted.AccessToken,
        error: 'UserNotFoundException',
        message: 'User does not exist.',
      },
    };
  });

  test.for(having('AccessToken'))('%s does not take it', async (operation) => {
    // Some operations' reference lists no UserNotFoundException.
    const silent = !documentedErrors(operation).has('UserNotFoundException');
    for (const [kind, { AccessToken, error, message }] of Object.entries(tokens)) {
      const expected =
        silent && error === 'UserNotFoundException'
          ? { error: 'NotAuthorizedException', message: 'Access Token has been revoked' }
          : { error, message };
      const got = await refusal(operation, { ...wellFormed[operation], AccessToken });
      expect({ kind, ...got }).toEqual({ kind, ...expected });
    }
  });
});
