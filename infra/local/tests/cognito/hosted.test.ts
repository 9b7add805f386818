import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { logoutAddress, relayId } from '../../in-process/hosted-cognito.ts';
import { clientId, type HostedCognito, minutes, poolId, startHostedCognito } from '../fixtures/cognito.ts';

const uuid = expect.stringMatching(/^[\da-f-]{36}$/);

let world: HostedCognito;
beforeEach(async () => {
  world = await startHostedCognito();
  return () => world.stop();
});

const codeOf = async (what = {}): Promise<string> => (await world.arrive(what))['code'] ?? '';

describe('a hosted sign-in', () => {
  test("redirects to the provider and back with a code for tokens that have Cognito's claims", async () => {
    const arrived = await world.arrive({ nonce: 'of-the-client' });
    expect(arrived).toEqual({ code: uuid, state: 'of-the-site' });
    expect(Object.fromEntries(world.provider.visits[0] ?? [])).toMatchObject({
      client_id: 'selfsame-at-provider',
      redirect_uri: `${world.origin}/oauth2/idpresponse`,
      scope: 'openid email profile',
      response_type: 'code',
      nonce: expect.any(String),
      // GitHub fails on states as long as Cognito's.
      state: expect.stringMatching(/^.{300,}$/),
    });

    const { status, headers, body } = await world.exchange(arrived['code'] ?? '');
    expect({ status, type: headers.get('content-type'), cache: headers.get('cache-control') }).toEqual({
      status: 200,
      type: 'application/json;charset=UTF-8',
      cache: 'no-store',
    });
    expect(body).toEqual({
      access_token: expect.any(String),
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 900,
      token_type: 'Bearer',
    });

    const issuer = `${world.origin}/${poolId}`;
    const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
    const access = (await jwtVerify(body.access_token, keys, { issuer })).payload;
    const identity = (await jwtVerify(body.id_token, keys, { issuer, audience: clientId })).payload;
    const common = {
      sub: uuid,
      'cognito:groups': [`${poolId}_Google`],
      iss: issuer,
      origin_jti: uuid,
      event_id: uuid,
      jti: uuid,
      auth_time: expect.any(Number),
      iat: expect.any(Number),
      exp: Number(access.iat) + 900,
    };
    expect(access).toEqual({
      ...common,
      version: 2,
      client_id: clientId,
      token_use: 'access',
      scope: 'openid email profile aws.cognito.signin.user.admin',
      username: 'google_1234',
    });
    expect(identity).toEqual({
      ...common,
      sub: access.sub,
      aud: clientId,
      token_use: 'id',
      at_hash: expect.stringMatching(/^[\w-]{22}$/),
      nonce: 'of-the-client',
      'cognito:username': 'google_1234',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada',
      identities: [
        {
          userId: '1234',
          providerName: 'Google',
          providerType: 'Google',
          issuer: null,
          primary: 'true',
          dateCreated: expect.stringMatching(/^\d{13}$/),
        },
      ],
    });
  });

  test('stores nothing that can sign in', async () => {
    const { code = '' } = await world.arrive();
    const cookie = world.browser().cookies.get('cognito') ?? '';
    const { body } = await world.exchange(code);
    const kept = JSON.stringify(
      ['sessions', 'refresh-tokens', 'hosted-sessions', 'authorization-codes', 'authorization-requests'].map(
        (name) => world.store.collection(`cognito/${name}`).list(),
      ),
    );
    expect(cookie).not.toBe('');
    for (const secret of [cookie, code, body.refresh_token, body.access_token])
      expect(kept).not.toContain(secret);
  });
});

describe('the authorize endpoint', () => {
  test.for([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['a response type that is none', { response_type: 'id_token' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unauthorized_client'],
    ['a challenge that is no hash', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without its method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a method without its challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge of the wrong length', { code_challenge: 'short' }, 'invalid_request'],
    ['a scope that is not allowed', { scope: 'openid phone' }, 'invalid_scope'],
    ['claims without openid', { scope: 'email' }, 'invalid_scope'],
    ['an unknown provider', { identity_provider: 'Facebook' }, 'invalid_request'],
  ] as const)('redirects with an error for %s', async ([, what, error]) => {
    expect(await world.arrive(what)).toMatchObject({ error, state: 'of-the-site' });
    expect(world.provider.visits).toEqual([]);
  });
});

describe('the redirect from the provider', () => {
  test.for([
    ['says no', { error: 'access_denied', error_description: 'Not today' }, 'access_denied', 'Not today'],
    ['fails', { error: 'temporarily_unavailable' }, 'invalid_request', 'temporarily_unavailable'],
  ] as const)('tells the client if the provider %s', async ([, denial, error, error_description]) => {
    world.provider.denial = denial;
    expect(await world.arrive()).toEqual({ error, error_description, state: 'of-the-site' });
  });

  test.for([
    ['another issuer', { iss: 'https://evil.example' }, 'Bad id_token issuer'],
    ['another audience', { aud: 'another' }, 'Bad id_token audience'],
    ['an end in the past', { exp: 1 }, 'Bad id_token exp'],
    ['the nonce of another sign-in', { nonce: 'another' }, 'Bad id_token nonce'],
    ['another person than userinfo', { sub: '999' }, 'Bad userInfo sub'],
  ] as const)('refuses an ID token with %s', async ([, claims, error_description]) => {
    world.provider.claims = claims;
    expect(await world.arrive()).toEqual({
      error: 'invalid_request',
      error_description,
      state: 'of-the-site',
    });
  });

  test('refuses an ID token that the provider did not sign', async () => {
    world.provider.forges = true;
    expect((await world.arrive())['error_description']).toBe('Bad id_token signature');
  });

  test.for([
    ['has left for nowhere', false],
    ['has left for itself', true],
  ] as const)('refuses a browser other than the redirected browser, which %s', async ([, leaves]) => {
    const away = await world.browser().get(world.authorizeAddress());
    const back = await fetch(away.headers.get('location') ?? '', { redirect: 'manual' });
    world.changeBrowser();
    if (leaves) await world.browser().get(world.authorizeAddress());
    const at = await world.browser().go(back.headers.get('location') ?? '');
    expect(at.searchParams.get('error')).toBe('Invalid state');
    expect(world.browser().cookies.has('cognito')).toBe(false);
  });
});

describe('the token endpoint', () => {
  test.for([
    ['another verifier', { code_verifier: 'v'.repeat(43) }, 400, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 400, 'invalid_grant'],
    ['another address', { redirect_uri: logoutAddress }, 400, 'invalid_grant'],
    ['no address', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['another client', { client_id: relayId }, 400, 'invalid_grant'],
    ['a client that does not exist', { client_id: 'nobody' }, 400, 'invalid_client'],
    ['no client', { client_id: undefined }, 400, 'invalid_request'],
    ['a secret', { client_secret: 'guessed' }, 400, 'invalid_client'],
    ['no grant', { grant_type: undefined }, 400, 'invalid_request'],
    ['a grant that there is not', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ["machines' grant", { grant_type: 'client_credentials' }, 400, 'unauthorized_client'],
  ] as const)('refuses a code with %s', async ([, what, status, error]) => {
    const code = await codeOf();
    expect(await world.exchange(code, what)).toMatchObject({ status, body: { error } });
  });

  test('refreshes, and replaces the refresh token of a client that rotates', async () => {
    const { tokens, access } = await world.signIn();
    await world.clock.advance(minutes(20));
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token };
    const { status, body } = await world.post('/oauth2/token', refresh);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(tokens.refresh_token);
    expect(decodeJwt(body.access_token)).toMatchObject({
      scope: access['scope'],
      auth_time: access['auth_time'],
      origin_jti: access['origin_jti'],
    });
    await world.clock.advance(minutes(1));
    expect((await world.post('/oauth2/token', refresh)).body).toEqual({ error: 'invalid_grant' });
    expect((await world.post('/oauth2/token', { ...refresh, refresh_token: undefined })).body).toEqual({
      error: 'invalid_request',
    });
  });

  test("the API's refresh accepts a hosted session's token, and keeps its scopes", async () => {
    const { tokens, access } = await world.signIn();
    const { body } = await world.call('GetTokensFromRefreshToken', {
      ClientId: clientId,
      RefreshToken: tokens.refresh_token,
    });
    expect(decodeJwt(body.AuthenticationResult.AccessToken)).toMatchObject({ scope: access['scope'] });
  });
});
