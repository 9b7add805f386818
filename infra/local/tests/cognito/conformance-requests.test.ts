import { beforeAll, describe, expect, test } from 'vitest';
import { clientId, minutes, password } from '../fixtures/cognito.ts';
import {
  ada,
  grace,
  otherClient,
  otherPoolId,
  quickClient,
  startConformanceCognito,
  type ConformanceCognito,
} from '../fixtures/conformance-cognito.ts';
import { having, isListed, wellFormed } from '../fixtures/well-formed.ts';

let world: ConformanceCognito;
beforeAll(async () => {
  world = await startConformanceCognito();
  await world.confirmedUser(ada);
  await world.signUp(grace);
  return () => world.stop();
});

/** A refusal. Every call's error has to be one that AWS's service model lists for the operation. */
const refusal = (operation: string, body: object) => world.refusal(operation, body);

describe('a request that does not fit AWS’s model', () => {
  // The model's limits of optional members and of members of members, in the words of Cognito's front end.
  test.for([
    ['ListUsers', { Limit: 61 }, 'limit', /^Member must have value less than or equal to 60$/],
    ['ListUsers', { Filter: 'x'.repeat(257) }, 'filter', /less than or equal to 256$/],
    ['RespondToAuthChallenge', { Session: 'short' }, 'session', /greater than or equal to 20$/],
    ['SignUp', { UserAttributes: [{ Name: 'x'.repeat(33) }] }, 'userAttributes.1.member.name', /32$/],
    [
      'SignUp',
      { UserAttributes: [{ Name: 'name', Value: 'x'.repeat(2049) }] },
      'userAttributes.1.member.value',
      /2048$/,
    ],
    // The service's pattern, which takes spaces within a password.
    [
      'SignUp',
      { Password: ' abcdef' },
      'password',
      /regular expression pattern: \^\[\\S\]\+\.\*\[\\S\]\+\$$/,
    ],
    ['SignUp', { Password: 'x' }, 'password', /regular expression pattern/],
    ['ChangePassword', { ProposedPassword: 'abcdef ' }, 'proposedPassword', /regular expression pattern/],
  ] as const)('%s with %j is refused at %s', async ([operation, change, member, constraint]) => {
    const { error, message } = await refusal(operation, { ...wellFormed[operation], ...change });
    expect(error).toBe('InvalidParameterException');
    const [, place, words = ''] =
      /^1 validation error detected: Value .*?at '([^']+)' failed to satisfy constraint: (.*)$/.exec(
        message ?? '',
      ) ?? [];
    expect(place).toBe(member);
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
      'one that claims to need none': {
        AccessToken: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.${signature}`,
        ...invalid,
      },
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
    // The model of some operations lists no UserNotFoundException.
    const silent = !isListed(operation, 'UserNotFoundException');
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
