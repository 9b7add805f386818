import { getCurrentUser, signIn } from 'aws-amplify/auth';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { clientId, password, poolId, startCognito, type CognitoStandIn } from '../fixtures/cognito.ts';
import { poolProperties } from '../../in-process/cognito.ts';

const email = 'ada@example.com';

describe('sessions', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
    await world.confirmedUser(email);
    return () => world.stop();
  });

  const signedIn = async () => (await world.signInRaw(email)).body.AuthenticationResult;

  test("tokens verify with the published keys and have Cognito's claims", async () => {
    const { AccessToken, IdToken, ExpiresIn, TokenType } = await signedIn();
    expect({ ExpiresIn, TokenType }).toEqual({ ExpiresIn: 900, TokenType: 'Bearer' });

    const issuer = `${world.origin}/${poolId}`;
    const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({ issuer });
    const keys = createRemoteJWKSet(new URL((discovery as { jwks_uri: string }).jwks_uri));
    const access = (await jwtVerify(AccessToken, keys, { issuer, algorithms: ['RS256'] })).payload;
    const identity = (await jwtVerify(IdToken, keys, { issuer, audience: clientId })).payload;

    const uuid = expect.stringMatching(/^[\da-f-]{36}$/);
    const now = Math.floor(world.clock.now().getTime() / 1000);
    const seconds = expect.toSatisfy((moment: number) => moment > now - 10 && moment <= now);
    const common = {
      sub: uuid,
      iss: issuer,
      origin_jti: uuid,
      event_id: uuid,
      jti: uuid,
      auth_time: seconds,
      iat: seconds,
      exp: Number(access.iat) + 900,
    };
    expect(access).toEqual({
      ...common,
      client_id: clientId,
      token_use: 'access',
      scope: 'aws.cognito.signin.user.admin',
      username: access.sub,
    });
    expect(identity).toEqual({
      ...common,
      aud: clientId,
      token_use: 'id',
      'cognito:username': access.sub,
      email,
      email_verified: true,
      name: 'Ada',
    });
    expect(identity.origin_jti).toBe(access['origin_jti']);
  });

  test('no stored value can sign in', async () => {
    const { AccessToken, RefreshToken } = await signedIn();
    await signIn({ username: email, password });
    const kept = ['users', 'sessions', 'refresh-tokens', 'codes', 'challenges'].map((name) =>
      JSON.stringify(world.store.collection(`cognito/${name}`).list()),
    );
    for (const secret of [password, AccessToken, RefreshToken]) expect(kept.join()).not.toContain(secret);
  });
});

describe('a session on the Lite plan, without rotation', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito({
      pool: { UserPoolTier: 'LITE' },
      client: {
        ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
        RefreshTokenRotation: undefined,
      },
    });
    await world.confirmedUser(email);
    return () => world.stop();
  });
  const refresh = (RefreshToken: string) =>
    world.call('GetTokensFromRefreshToken', { ClientId: clientId, RefreshToken });

  test('keeps its refresh token, and both ways to refresh work', async () => {
    const { RefreshToken } = (await world.signInRaw(email)).body.AuthenticationResult;
    const first = await refresh(RefreshToken);
    const second = await world.call('InitiateAuth', {
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      ClientId: clientId,
      AuthParameters: { REFRESH_TOKEN: RefreshToken },
    });
    for (const { body } of [first, second]) {
      expect(Object.keys(body.AuthenticationResult).toSorted()).toEqual([
        'AccessToken',
        'ExpiresIn',
        'IdToken',
        'TokenType',
      ]);
    }
  });
});

describe('a client is refused at start, as by Cognito,', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
    return () => world.stop();
  });
  const RefreshTokenRotation = { Feature: 'ENABLED', RetryGracePeriodSeconds: 30 };
  const srp = 'ALLOW_USER_SRP_AUTH';
  const refreshing = 'ALLOW_REFRESH_TOKEN_AUTH';

  test.each([
    [
      'with rotation in a Lite pool',
      'LITE',
      { ExplicitAuthFlows: [srp], RefreshTokenRotation },
      'FeatureUnavailableInTierException: The following features need to be disabled for the LITE pricing tier configured: Refresh Token Rotation',
    ],
    [
      'with rotation and the flow that it replaces',
      'ESSENTIALS',
      { ExplicitAuthFlows: [srp, refreshing], RefreshTokenRotation },
      'does not go with ALLOW_REFRESH_TOKEN_AUTH',
    ],
    [
      'without rotation or that flow',
      'LITE',
      { ExplicitAuthFlows: [srp] },
      'REFRESH_TOKEN_AUTH should always be allowed.',
    ],
  ])('%s', (_, UserPoolTier, client, sentence) => {
    const service = world.restart();
    service.putUserPool('us-east-1_Odd', { ...poolProperties, UserPoolTier });
    expect(() =>
      service.putUserPoolClient('us-east-1_Odd', 'odd', { PreventUserExistenceErrors: 'ENABLED', ...client }),
    ).toThrow(sentence);
  });
});

const incorrect = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };

describe('signing in', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
    return () => world.stop();
  });

  test.for(['USER_SRP_AUTH', 'USER_PASSWORD_AUTH'] as const)(
    '%s lets the right password in',
    async (authFlowType) => {
      await world.confirmedUser(email);
      const result = await signIn({ username: email, password, options: { authFlowType } });
      expect(result).toEqual({ isSignedIn: true, nextStep: { signInStep: 'DONE' } });
      expect(await getCurrentUser()).toMatchObject({ signInDetails: { loginId: email, authFlowType } });
    },
  );

  test.for(['USER_SRP_AUTH', 'USER_PASSWORD_AUTH'] as const)(
    '%s asks an unconfirmed user to confirm, only with the right password',
    async (authFlowType) => {
      await world.call('SignUp', { ClientId: clientId, Username: email, Password: password });
      const options = { authFlowType };
      const result = await signIn({ username: email, password, options });
      expect(result).toEqual({ isSignedIn: false, nextStep: { signInStep: 'CONFIRM_SIGN_UP' } });
      await expect(signIn({ username: email, password: 'wrong horse', options })).rejects.toMatchObject(
        incorrect,
      );
    },
  );

  /** Signs in with SRP while `inspect` gets the proof on its way. */
  const signInSeen = async (seen: (proof: unknown) => void) => {
    const real = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const target = new Headers(init?.headers).get('x-amz-target');
      const body = typeof init?.body === 'string' ? init.body : '{}';
      if (target?.endsWith('RespondToAuthChallenge')) seen(JSON.parse(body));
      return real(input, init);
    };
    try {
      return await signIn({ username: email, password });
    } finally {
      globalThis.fetch = real;
    }
  };

  test('a response to the challenge is valid once', async () => {
    await world.confirmedUser(email);
    let proof: unknown;
    expect((await signInSeen((body) => (proof = body))).isSignedIn).toBe(true);
    expect(await world.call('RespondToAuthChallenge', proof)).toMatchObject({
      error: 'NotAuthorizedException',
      message: 'Invalid session for the user.',
    });
  });

  const challenge = (USERNAME: string, SRP_A = 'abcdef') =>
    world.call('InitiateAuth', {
      AuthFlow: 'USER_SRP_AUTH',
      ClientId: clientId,
      AuthParameters: { USERNAME, SRP_A },
    });

  test.for([email, 'nobody@example.com'])('guessing the password of %s is slowed down', async (username) => {
    await world.confirmedUser(email);
    const guess = async () => (await world.signInRaw(username, 'wrong horse')).message;
    for (let failures = 0; failures < 10; failures += 1) {
      // Five are free. After each further failure the lock is twice as long.
      if (failures >= 5) await world.clock.advance(2 ** (failures - 5) * 1000);
      expect(await guess()).toBe(incorrect.message);
    }
    expect(await guess()).toBe('Password attempts exceeded');
    expect((await challenge(username)).message).toBe('Password attempts exceeded');
    await world.clock.advance(16_000);
    expect(await guess()).toBe('Password attempts exceeded');
    await world.clock.advance(16_000);
    expect(await guess()).toBe(incorrect.message);
  });
});
