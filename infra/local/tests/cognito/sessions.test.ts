import { fetchAuthSession, fetchUserAttributes, signIn, signOut } from 'aws-amplify/auth';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  clientId,
  days,
  minutes,
  password,
  poolId,
  startCognito,
  type CognitoStandIn,
} from '../fixtures/cognito.ts';

const email = 'ada@example.com';
const renew = () => fetchAuthSession({ forceRefresh: true });

describe('sessions', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
    await world.confirmedUser(email);
  });
  afterEach(() => world.stop());

  const signedIn = async () => (await world.signInRaw(email)).body.AuthenticationResult;
  const refresh = (RefreshToken: string, ClientId = clientId) =>
    world.call('GetTokensFromRefreshToken', { ClientId, RefreshToken });

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

  test('refreshing replaces every token and keeps the time of the sign-in', async () => {
    await signIn({ username: email, password });
    const before = (await fetchAuthSession()).tokens?.accessToken;
    const refreshTokenBefore = refreshTokenIn(world.storage);
    await world.clock.advance(minutes(20));
    const after = (await renew()).tokens?.accessToken;
    expect(after?.payload['auth_time']).toBe(before?.payload['auth_time']);
    expect(after?.payload['origin_jti']).toBe(before?.payload['origin_jti']);
    expect(after?.payload.jti).not.toBe(before?.payload.jti);
    expect(Number(after?.payload.iat) - Number(before?.payload.iat)).toBeGreaterThanOrEqual(20 * 60);
    expect(refreshTokenIn(world.storage)).not.toBe(refreshTokenBefore);
    expect(await fetchUserAttributes()).toMatchObject({ email });
  });

  test('a replaced refresh token works for its grace period and is refused afterwards', async () => {
    const { RefreshToken } = await signedIn();
    const second = (await refresh(RefreshToken)).body.AuthenticationResult.RefreshToken;
    await world.clock.advance(20_000);
    expect((await refresh(RefreshToken)).error).toBeUndefined();
    await world.clock.advance(10_000);
    expect((await refresh(RefreshToken)).error).toBe('RefreshTokenReuseException');
    expect((await refresh(second)).error).toBeUndefined();
  });

  test('Amplify drops a session whose token was replaced elsewhere', async () => {
    await signIn({ username: email, password });
    await refresh(refreshTokenIn(world.storage));
    await world.clock.advance(30_000);
    await expect(renew()).rejects.toMatchObject({ name: 'RefreshTokenReuseException' });
    expect((await fetchAuthSession()).tokens).toBeUndefined();
  });

  test('a session ends sixty days after the sign-in, however often it was refreshed', async () => {
    await signIn({ username: email, password });
    await world.clock.advance(days(59));
    expect((await renew()).tokens).toBeDefined();
    await world.clock.advance(days(1));
    const answer = await refresh(refreshTokenIn(world.storage));
    expect(answer).toMatchObject({ error: 'NotAuthorizedException', message: 'Refresh Token has expired' });
    expect((await renew()).tokens).toBeUndefined();
  });

  test('an access token lasts fifteen minutes', async () => {
    const { AccessToken } = await signedIn();
    await world.clock.advance(minutes(14));
    expect((await world.call('GetUser', { AccessToken })).error).toBeUndefined();
    await world.clock.advance(minutes(1));
    expect(await world.call('GetUser', { AccessToken })).toMatchObject({
      error: 'NotAuthorizedException',
      message: 'Access Token has expired',
    });
  });

  test('signing out ends this session with all its tokens and no other', async () => {
    const other = await signedIn();
    await signIn({ username: email, password });
    const AccessToken = (await fetchAuthSession()).tokens?.accessToken.toString();
    const refreshToken = refreshTokenIn(world.storage);
    await signOut();
    expect((await refresh(refreshToken)).message).toBe('Refresh Token has been revoked');
    expect(await world.call('GetUser', { AccessToken })).toMatchObject({
      error: 'NotAuthorizedException',
      message: 'Access Token has been revoked',
    });
    expect((await world.call('GetUser', { AccessToken: other.AccessToken })).error).toBeUndefined();
    expect((await refresh(other.RefreshToken)).error).toBeUndefined();
  });

  test('Amplify drops a session that was revoked elsewhere', async () => {
    await signIn({ username: email, password });
    await world.call('RevokeToken', { ClientId: clientId, Token: refreshTokenIn(world.storage) });
    expect((await renew()).tokens).toBeUndefined();
  });

  test('signing out everywhere ends every session', async () => {
    const other = await signedIn();
    await signIn({ username: email, password });
    await signOut({ global: true });
    expect((await refresh(other.RefreshToken)).message).toBe('Refresh Token has been revoked');
    expect((await world.call('GetUser', { AccessToken: other.AccessToken })).message).toBe(
      'Access Token has been revoked',
    );
    expect((await world.signInRaw(email)).error).toBeUndefined();
  });

  test('only refresh tokens can be revoked, and the response does not reveal whether the token existed', async () => {
    const { AccessToken } = await signedIn();
    const revoke = (Token: string) => world.call('RevokeToken', { ClientId: clientId, Token });
    expect((await revoke(AccessToken)).error).toBe('UnsupportedTokenTypeException');
    expect(await revoke('no-such-token')).toMatchObject({ status: 200, body: {} });
  });

  test('with rotation only GetTokensFromRefreshToken refreshes', async () => {
    const { RefreshToken } = await signedIn();
    const answer = await world.call('InitiateAuth', {
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      ClientId: clientId,
      AuthParameters: { REFRESH_TOKEN: RefreshToken },
    });
    expect(answer.error).toBe('InvalidParameterException');
  });

  test('a changed token, or one of the wrong kind, is refused', async () => {
    const { AccessToken, IdToken, RefreshToken } = await signedIn();
    const [header, payload, signature] = AccessToken.split('.');
    const claims = JSON.stringify({ ...decodeJwt(AccessToken), username: 'somebody-else' });
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    const forged = [
      `${header}.${Buffer.from(claims).toString('base64url')}.${signature}`,
      `${unsigned}.${payload}.${signature}`,
      IdToken,
      RefreshToken,
      'a.b.c',
    ];
    for (const token of forged) {
      expect(await world.call('GetUser', { AccessToken: token })).toMatchObject({
        error: 'NotAuthorizedException',
        message: 'Invalid Access Token',
      });
    }
    expect((await refresh(AccessToken)).message).toBe('Invalid Refresh Token.');
  });

  test('a refresh token is refused for another client', async () => {
    const { RefreshToken } = await signedIn();
    world.restart().putUserPoolClient(poolId, 'relay', {});
    expect((await refresh(RefreshToken, 'relay')).message).toBe('Invalid Refresh Token.');
    const revoked = await world.call('RevokeToken', { ClientId: 'relay', Token: RefreshToken });
    expect(revoked.error).toBe('UnauthorizedException');
  });

  test('accounts, sessions and keys survive a restart', async () => {
    await signIn({ username: email, password });
    const AccessToken = (await fetchAuthSession()).tokens?.accessToken.toString();
    const keysUrl = `${world.origin}/${poolId}/.well-known/jwks.json`;
    const keys = await (await fetch(keysUrl)).json();
    world.restart();
    expect(await (await fetch(keysUrl)).json()).toEqual(keys);
    expect((await world.call('GetUser', { AccessToken })).error).toBeUndefined();
    expect((await renew()).tokens).toBeDefined();
    expect((await world.signInRaw(email)).error).toBeUndefined();
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
  });
  afterEach(() => world.stop());
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

  test('continues in Amplify with the same refresh token until sixty days after the sign-in', async () => {
    await signIn({ username: email, password });
    const refreshToken = refreshTokenIn(world.storage);
    for (const count of [1, 30, 28]) {
      await world.clock.advance(days(count));
      expect((await renew()).tokens).toBeDefined();
      expect(refreshTokenIn(world.storage)).toBe(refreshToken);
    }
    await world.clock.advance(days(1));
    expect((await refresh(refreshToken)).message).toBe('Refresh Token has expired');
    expect((await renew()).tokens).toBeUndefined();
  });

  test('ends with all its tokens at a global sign-out', async () => {
    const other = (await world.signInRaw(email)).body.AuthenticationResult;
    expect((await refresh(other.RefreshToken)).error).toBeUndefined();
    await signIn({ username: email, password });
    await signOut({ global: true });
    expect((await refresh(other.RefreshToken)).message).toBe('Refresh Token has been revoked');
    expect((await world.call('GetUser', { AccessToken: other.AccessToken })).message).toBe(
      'Access Token has been revoked',
    );
  });
});

describe('a client is refused at start, as by Cognito,', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
  });
  afterEach(() => world.stop());
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
    service.putUserPool('us-east-1_Odd', { UsernameAttributes: ['email'], UserPoolTier });
    expect(() => service.putUserPoolClient('us-east-1_Odd', 'odd', client)).toThrow(sentence);
  });
});

const refreshTokenIn = (storage: Map<string, string>): string =>
  [...storage].find(([key]) => key.endsWith('.refreshToken'))?.[1] ?? '';
