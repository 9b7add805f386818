import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { serveGitHubOidc } from '../../../../functions/github-oidc/github-oidc.ts';
import type { ProviderFault } from '../../../../schemas/provider-faults.ts';
import { startFakeGitHub } from '../../../fixtures/fakes/fake-github.ts';
import {
  authorization,
  bodyOf,
  cipher,
  clientSecret,
  cognitoCallback,
  cognitoState,
  cookieOf,
  formToRedeem,
  gitHubClient,
  issuer,
  locationOf,
  start,
  GitHubOidcWorld,
} from '../../../fixtures/fakes/github-oidc-world.ts';
import { fromCloudFront } from '../../../fixtures/fakes/origin-key.ts';

let world: GitHubOidcWorld;
/** The status of an answer, and the error in it. */
const errorIn = (answer: APIGatewayProxyStructuredResultV2) => [answer.statusCode, bodyOf(answer)['error']];

/** The answer that sends the browser to our own page, with a reason that the page knows, and nothing else. */
const signInPage = (fault: ProviderFault) => ({
  statusCode: 302,
  headers: {
    location: `${new URL(issuer).origin}/login?fault=${fault}`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  },
});

beforeAll(async () => {
  world = await GitHubOidcWorld.start();
});
afterAll(() => world.gitHub.stop());
beforeEach(() => world.reset());

describe('a whole sign-in', () => {
  test('ends in an ID token that the published key verifies', async () => {
    const { id_token = '' } = await world.tokens();
    const published = bodyOf(await world.ask('jwks', {})) as unknown as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(id_token, createLocalJWKSet(published), {
      issuer,
      audience: 'cognito',
      algorithms: ['RS256'],
      currentDate: world.now,
    });
    const seconds = start.getTime() / 1000;
    expect(payload).toEqual({
      iss: issuer,
      aud: 'cognito',
      sub: '4711',
      nonce: 'a-nonce',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      iat: seconds,
      exp: seconds + 300,
    });
    expect(protectedHeader.kid).toBe(published.keys[0]?.kid);
  });

  test('satisfies an OpenID Connect client', async () => {
    vi.useFakeTimers({ now: world.now, toFake: ['Date'] });
    const server: oauth.AuthorizationServer = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
    };
    const client: oauth.Client = { client_id: 'cognito' };
    type Sent = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: unknown };
    const options = {
      [oauth.customFetch]: async (url: string, { method, headers, body }: Sent) => {
        const answer = await world.ask(url.split('/').at(-1) ?? '', {
          method,
          headers,
          ...(body instanceof URLSearchParams && { body: body.toString() }),
        });
        return new Response(answer.body ?? null, {
          status: answer.statusCode ?? 0,
          headers: answer.headers as Record<string, string>,
        });
      },
    };
    const { back, cookie } = await world.signInAtGitHub();
    const callback = await world.comeBack({ back, cookie });
    const parameters = oauth.validateAuthResponse(server, client, locationOf(callback), cognitoState);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic(clientSecret),
      parameters,
      cognitoCallback,
      oauth.nopkce,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: 'a-nonce',
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, answer, options);
    const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
    const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token, options);
    expect(await oauth.processUserInfoResponse(server, client, sub, userinfo)).toMatchObject({
      sub: '4711',
      email: 'ada@example.com',
    });
    vi.useRealTimers();
  });

  test('answers userinfo with the claims of the ID token', async () => {
    const { access_token } = await world.tokens();
    const answer = await world.ask('userinfo', { headers: { authorization: `Bearer ${access_token}` } });
    expect(bodyOf(answer)).toEqual({
      sub: '4711',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
    });
  });

  test("hands GitHub's token to no one", async () => {
    const answer = await world.redeem(await world.codeForCognito());
    const [gitHubToken = ''] = [...world.gitHub.tokens].slice(-1);
    expect(gitHubToken).toMatch(/^gho_/);
    expect(JSON.stringify(answer)).not.toContain(gitHubToken);
    const opened = await cipher.decrypt('access-token', bodyOf(answer)['access_token'] ?? '', world.now);
    expect(opened).toBeDefined();
    expect(JSON.stringify(opened)).not.toContain(gitHubToken);
  });

  test('has no nonce if Cognito sends none', async () => {
    const { nonce: _, ...query } = authorization;
    const answer = await world.ask('authorize', { query });
    const back = world.gitHub.authorize(locationOf(answer).href);
    const callback = await world.ask('callback', { query: back.search, cookies: [cookieOf(answer)] });
    const { id_token = '' } = bodyOf(await world.redeem(locationOf(callback).searchParams.get('code') ?? ''));
    expect(await world.claimsOf(id_token)).not.toHaveProperty('nonce');
  });

  test('names a user without a name by the login', async () => {
    world.gitHub.user.name = null;
    const { id_token = '' } = await world.tokens();
    expect((await world.claimsOf(id_token))['name']).toBe('ada');
  });

  test('writes addresses in lower case, so that a search finds them', async () => {
    world.gitHub.user.emails = [{ email: 'Ada@Example.COM', primary: true, verified: true }];
    const { id_token = '' } = await world.tokens();
    expect((await world.claimsOf(id_token))['email']).toBe('ada@example.com');
  });
});

describe('authorize', () => {
  test('sends to GitHub a short state, a challenge and the scopes it needs', async () => {
    const answer = await world.ask('authorize', { query: authorization });
    expect(answer.statusCode).toBe(302);
    const { pathname, searchParams } = locationOf(answer);
    expect(pathname).toBe('/login/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'github-id',
      redirect_uri: `${issuer}/callback`,
      scope: 'read:user user:email',
      state: expect.stringMatching(/^[\w-]{22}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });
  });

  test('binds the sign-in to the browser by a cookie that scripts and other sites cannot read', async () => {
    const { cookies } = await world.ask('authorize', { query: authorization });
    const [cookie, ...attributes] = cookies?.[0]?.split('; ') ?? [];
    expect(cookie).toMatch(/^__Host-/);
    expect(cookie).not.toContain(cognitoState);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure']);
  });

  test('sets a cookie within the size that browsers accept, for the longest state', async () => {
    const query = { ...authorization, state: 's'.repeat(2_500), nonce: 'n'.repeat(250) };
    const cookie = cookieOf(await world.ask('authorize', { query }));
    expect(cookie.length).toBeGreaterThan(2_500);
    expect(cookie.length).toBeLessThanOrEqual(4_096);
  });

  test.each([
    ['another client', { client_id: 'another' }],
    ['an address that only begins like the registered one', { redirect_uri: `${cognitoCallback}/../x` }],
    ['an address elsewhere', { redirect_uri: 'https://evil.example' }],
    ['tokens at once', { response_type: 'token' }],
    ['no sign-in', { scope: 'email' }],
    ['an empty state', { state: '' }],
    ['a state that no cookie holds', { state: 's'.repeat(2_501) }],
    ['a parameter that is given twice', undefined],
  ])('redirects to our sign-in page alone for %s', async (_, change) => {
    const twice = `${new URLSearchParams(authorization).toString()}&state=another`;
    const query = change ? { ...authorization, ...change } : twice;
    expect(await world.ask('authorize', { query })).toEqual(signInPage('github-failed'));
  });

  test.each(['openid', 'email openid', 'openid email', 'email openid profile'])(
    'accepts the scopes %o',
    async (scope) => {
      expect((await world.ask('authorize', { query: { ...authorization, scope } })).statusCode).toBe(302);
    },
  );

  test('begins a sign-in at the time of day', async () => {
    vi.useFakeTimers({ now: world.now, toFake: ['Date'] });
    const begin = serveGitHubOidc(world.dependencies())({
      rawQueryString: new URLSearchParams(authorization).toString(),
      headers: fromCloudFront,
      pathParameters: { step: 'authorize' },
      requestContext: { requestId: 'request', http: { method: 'GET' } },
    } as unknown as APIGatewayProxyEventV2);
    const cookie = cookieOf(await begin.finally(() => void vi.useRealTimers()));
    const encrypted = cookie.slice(cookie.indexOf('=') + 1);
    world.later(599);
    expect(await cipher.decrypt('sign-in', encrypted, world.now)).toMatchObject({ theirs: cognitoState });
    world.later(600);
    expect(await cipher.decrypt('sign-in', encrypted, world.now)).toBeUndefined();
  });
});

describe('callback', () => {
  test("redirects to Cognito with Cognito's own state, and expires the cookie", async () => {
    const { back, cookie } = await world.signInAtGitHub();
    const answer = await world.ask('callback', { query: back.search, cookies: ['other=1', cookie] });
    const location = locationOf(answer);
    expect(`${location.origin}${location.pathname}`).toBe(cognitoCallback);
    expect(location.searchParams.get('state')).toBe(cognitoState);
    expect(location.searchParams.get('code')).not.toContain(back.searchParams.get('code'));
    expect(answer.cookies?.[0]).toMatch(/^__Host-[\w-]+=; Path=\/; Max-Age=0;/);
  });

  test('does not call GitHub before Cognito redeems the code', async () => {
    await world.codeForCognito();
    expect(world.gitHub.requests).toEqual([]);
  });

  test('refuses the state of a sign-in in another browser', async () => {
    const { cookie } = await world.signInAtGitHub();
    const { back: attackers } = await world.signInAtGitHub();
    const answer = await world.ask('callback', { query: attackers.search, cookies: [cookie] });
    expect(answer).toEqual(signInPage('github-expired'));
  });

  test.each([[undefined], [['other=1']]])('refuses a callback with the cookies %o', async (cookies) => {
    const { back } = await world.signInAtGitHub();
    const answer = await world.ask('callback', { query: back.search, ...(cookies && { cookies }) });
    expect(answer).toEqual(signInPage('github-expired'));
  });

  test('refuses a cookie that was changed', async () => {
    const { back, cookie } = await world.signInAtGitHub();
    const place = cookie.length - 30;
    const changed = cookie.slice(0, place) + (cookie[place] === 'A' ? 'B' : 'A') + cookie.slice(place + 1);
    const answer = await world.ask('callback', { query: back.search, cookies: [changed] });
    expect(answer).toEqual(signInPage('github-expired'));
  });

  test('refuses a cookie that was encrypted for another purpose', async () => {
    const { back, cookie } = await world.signInAtGitHub();
    const other = await cipher.encrypt('code', { code: 'c', verifier: 'v' }, world.now);
    const name = cookie.slice(0, cookie.indexOf('='));
    const answer = await world.ask('callback', { query: back.search, cookies: [`${name}=${other}`] });
    expect(answer).toEqual(signInPage('github-expired'));
  });

  test('refuses a sign-in after ten minutes, and not before', async () => {
    const { back, cookie } = await world.signInAtGitHub();
    world.later(599);
    expect(locationOf(await world.comeBack({ back, cookie })).href).toContain(cognitoCallback);
    world.later(600);
    expect(await world.comeBack({ back, cookie })).toEqual(signInPage('github-expired'));
  });

  test('answers a query that GitHub never sends with our sign-in page, and shows nothing of it', async () => {
    const query = { state: 's', code: '<b>', error_description: 'pay here' };
    expect(await world.ask('callback', { query })).toEqual(signInPage('github-failed'));
  });

  test('tells Cognito that the user declined', async () => {
    const { back, cookie } = await world.signInAtGitHub();
    const state = back.searchParams.get('state') ?? '';
    const query = { state, error: 'access_denied', error_description: '<b>anything</b>' };
    const { searchParams } = locationOf(await world.ask('callback', { query, cookies: [cookie] }));
    expect(Object.fromEntries(searchParams)).toEqual({
      state: cognitoState,
      error: 'access_denied',
      error_description: 'You did not let GitHub sign you in.',
    });
  });

  test.each([
    ['an error beside a code', { error: 'access_denied', code: 'abc' }, 'access_denied'],
    ['neither a code nor an error', {}, 'server_error'],
  ])('redeems nothing if GitHub sends %s', async (_, parameters, error) => {
    const { back, cookie } = await world.signInAtGitHub();
    const query = new URLSearchParams({ state: back.searchParams.get('state') ?? '', ...parameters });
    const { searchParams } = locationOf(
      await world.ask('callback', { query: query.toString(), cookies: [cookie] }),
    );
    expect(searchParams.get('error')).toBe(error);
    expect(searchParams.has('code')).toBe(false);
  });

  test("reports GitHub's error for a wrong setup as a server error of OAuth", async () => {
    const { back, cookie } = await world.signInAtGitHub();
    const state = back.searchParams.get('state') ?? '';
    const answer = await world.ask('callback', {
      query: { state, error: 'redirect_uri_mismatch' },
      cookies: [cookie],
    });
    expect(locationOf(answer).searchParams.get('error')).toBe('server_error');
    expect(world.logged).toContain('redirect_uri_mismatch');
  });
});

describe('token', () => {
  const basicAuth = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

  test('accepts the secret by HTTP Basic as well', async () => {
    const answer = await world.ask('token', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: basicAuth(`cognito:${clientSecret}`),
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: await world.codeForCognito(),
        redirect_uri: cognitoCallback,
      }).toString(),
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers?.['cache-control']).toBe('no-store');
  });

  test('redeems a code once', async () => {
    const code = await world.codeForCognito();
    expect((await world.redeem(code)).statusCode).toBe(200);
    const again = await world.redeem(code);
    expect(again.statusCode).toBe(400);
    expect(bodyOf(again)['error']).toBe('invalid_grant');
  });

  test('refuses a code after a minute, without calling GitHub', async () => {
    const code = await world.codeForCognito();
    world.later(60);
    expect(bodyOf(await world.redeem(code))['error']).toBe('invalid_grant');
    expect(world.gitHub.requests).toEqual([]);
  });

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an empty secret', { client_secret: '' }, 401, 'invalid_client'],
    ['another client', { client_id: 'another' }, 401, 'invalid_client'],
    ['another grant', { grant_type: 'refresh_token' }, 400, 'unsupported_grant_type'],
    ['another address', { redirect_uri: 'https://evil.example' }, 400, 'invalid_grant'],
    ['an unknown code', { code: 'made-up' }, 400, 'invalid_grant'],
  ])('refuses %s', async (_, change, status, error) => {
    expect(errorIn(await world.redeem(await world.codeForCognito(), change))).toEqual([status, error]);
    expect(world.gitHub.requests).toEqual([]);
  });

  test('answers an unknown client with a challenge', async () => {
    const answer = await world.redeem('code', { client_secret: 'wrong' });
    expect(answer.headers?.['www-authenticate']).toMatch(/^Basic/);
  });

  test.each(['cognito', `cognito${clientSecret}`, ''])(
    'refuses the HTTP Basic credentials %o',
    async (text) => {
      const answer = await world.ask('token', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: basicAuth(text),
        },
        body: 'grant_type=authorization_code',
      });
      expect(answer.statusCode).toBe(401);
      expect(bodyOf(answer)['error']).toBe('invalid_client');
    },
  );

  test('refuses a client that sends its secret in both ways', async () => {
    expect(
      bodyOf(
        await world.redeem(
          await world.codeForCognito(),
          {},
          { authorization: basicAuth(`cognito:${clientSecret}`) },
        ),
      )['error'],
    ).toBe('invalid_request');
  });

  test('refuses an access token instead of a code', async () => {
    const { access_token = '' } = await world.tokens();
    expect(bodyOf(await world.redeem(access_token))['error']).toBe('invalid_grant');
  });

  test.each([
    ['another type', { 'content-type': 'application/json' }],
    ['no type', { 'content-type': '' }],
  ])('refuses a form that is sent as %s', async (_, headers) => {
    const answer = await world.redeem(await world.codeForCognito(), {}, headers);
    expect(answer.statusCode).toBe(400);
    expect(bodyOf(answer)).toEqual({
      error: 'invalid_request',
      error_description: 'The body has to be a form.',
    });
  });

  test('accepts a form whose type is in capitals and names an encoding', async () => {
    const headers = { 'content-type': 'Application/X-WWW-Form-Urlencoded ; charset=UTF-8' };
    expect((await world.redeem(await world.codeForCognito(), {}, headers)).statusCode).toBe(200);
  });

  test('refuses a body of more than eight kibibytes', async () => {
    const length = formToRedeem('').length;
    expect((await world.redeem('c'.repeat(8 * 1024 - length))).statusCode).toBe(400);
    expect((await world.redeem('c'.repeat(8 * 1024 - length + 1))).statusCode).toBe(413);
  });

  test.each([
    ['has no verified address', [{ email: 'ada@example.com', primary: true, verified: false }]],
    [
      'has verified another address than the primary one',
      [
        { email: 'ada@example.com', primary: true, verified: false },
        { email: 'other@example.com', primary: false, verified: true },
      ],
    ],
    ['has no address', []],
  ])('tells a user who %s what to do', async (_, emails) => {
    world.gitHub.user.emails = emails;
    const answer = await world.redeem(await world.codeForCognito());
    expect(answer.statusCode).toBe(400);
    expect(bodyOf(answer)).toEqual({
      error: 'access_denied',
      error_description:
        'GitHub has no verified email address for this account. Verify one at GitHub and try again.',
    });
  });

  test('says the same if GitHub itself refuses an unverified user', async () => {
    world.gitHub.fixedAnswers.set('/login/oauth/access_token', {
      status: 200,
      body: '{"error":"unverified_user_email","error_description":"…"}',
    });
    expect((await world.tokens())['error']).toBe('access_denied');
  });
});

describe('when GitHub fails', () => {
  test.each([
    ['/login/oauth/access_token', 503, '<html>'],
    ['/login/oauth/access_token', 200, 'not json'],
    ['/login/oauth/access_token', 200, '{"error":"incorrect_client_credentials"}'],
    ['/login/oauth/access_token', 200, '[]'],
    ['/user', 500, '{}'],
    ['/user', 200, '{"id":"4711","login":"ada"}'],
    ['/user/emails', 404, '{}'],
    ['/user/emails', 200, '[{"email":"ada@example.com","primary":true,"verified":"yes"}]'],
  ])('an answer of %s, %i %s, becomes a logged 502', async (path, status, body) => {
    world.gitHub.fixedAnswers.set(path, { status, body });
    expect(errorIn(await world.redeem(await world.codeForCognito()))).toEqual([
      502,
      'temporarily_unavailable',
    ]);
    expect(world.logged).toContain('"upstream":"github"');
    expect(world.logged).toContain(path);
  });

  test('no answer becomes a 502 too', async () => {
    const gone = await startFakeGitHub(gitHubClient);
    await gone.stop();
    const code = await world.codeForCognito();
    const alive = world.gitHub;
    world.gitHub = gone;
    const answer = await world.redeem(code).finally(() => {
      world.gitHub = alive;
    });
    expect(answer.statusCode).toBe(502);
  });
});

describe('userinfo', () => {
  test.each([
    ['nothing', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['an unknown token', { authorization: 'Bearer made-up' }],
  ])('refuses %s', async (_, headers: Record<string, string>) => {
    const answer = await world.ask('userinfo', { headers });
    expect(answer.statusCode).toBe(401);
    expect(bodyOf(answer)['error']).toBe('invalid_token');
    expect(answer.headers?.['www-authenticate']).toMatch(/^Bearer/);
  });

  test('accepts a token under the scheme’s name in any case, and nothing beside it', async () => {
    const { access_token } = await world.tokens();
    const statusFor = async (header: string) =>
      (await world.ask('userinfo', { headers: { authorization: header } })).statusCode;
    expect(await statusFor(`bearer ${access_token}`)).toBe(200);
    expect(await statusFor(`Basic ${access_token}`)).toBe(401);
    expect(await statusFor(`Bearer ${access_token} more`)).toBe(401);
  });

  test('refuses a token after five minutes', async () => {
    const { access_token } = await world.tokens();
    world.later(300);
    const answer = await world.ask('userinfo', { headers: { authorization: `Bearer ${access_token}` } });
    expect(answer.statusCode).toBe(401);
  });

  test('refuses a code instead of a token', async () => {
    const answer = await world.ask('userinfo', {
      headers: { authorization: `Bearer ${await world.codeForCognito()}` },
    });
    expect(answer.statusCode).toBe(401);
  });
});

test('only the public key is published, cacheable for an hour', async () => {
  const answer = await world.ask('jwks', {});
  expect(answer.headers?.['cache-control']).toBe('public, max-age=3600');
  const { keys } = bodyOf(answer) as unknown as JSONWebKeySet;
  expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('other steps and other methods are refused', async () => {
  expect((await world.ask('nothing', {})).statusCode).toBe(404);
  expect((await world.ask('constructor', {})).statusCode).toBe(404);
  expect((await world.ask('token', {})).statusCode).toBe(405);
  expect((await world.ask('authorize', { method: 'DELETE' })).statusCode).toBe(405);
});

test('a request without a step is answered like one for an unknown step', async () => {
  const answer = await world.handle({
    headers: fromCloudFront,
    requestContext: {
      requestId: 'request',
      http: { method: 'GET' },
    } as APIGatewayProxyEventV2['requestContext'],
  });
  expect(answer.statusCode).toBe(404);
});

test('a refusal is not logged as a failure, which would raise the alarm', async () => {
  await world.ask('userinfo', {});
  expect(JSON.parse(world.logged)).toEqual([
    { event: 'github-step-refused', step: 'userinfo', requestId: 'request', code: 'invalid_token' },
  ]);
});

test('an unexpected failure is answered without detail, and the browser with our sign-in page', async () => {
  const broken = serveGitHubOidc({
    ...world.dependencies(),
    secrets: () => Promise.reject(new Error('the secret is gone')),
  });
  const ask = (step: string, query: Record<string, string> = {}) =>
    broken({
      headers: fromCloudFront,
      rawQueryString: new URLSearchParams(query).toString(),
      pathParameters: { step },
      requestContext: { requestId: 'request', http: { method: 'GET' } },
    } as unknown as APIGatewayProxyEventV2);
  const answer = await ask('userinfo');
  expect(answer.statusCode).toBe(500);
  expect(bodyOf(answer)['error']).toBe('server_error');
  expect(answer.body).not.toContain('gone');
  expect(await ask('authorize', authorization)).toEqual(signInPage('github-failed'));
  expect(world.logged.match(/"github-step-failed"/g)).toHaveLength(2);
});

test('no log line contains a code, a token, a secret or an address', async () => {
  const code = await world.codeForCognito();
  const { access_token = '', id_token = '' } = bodyOf(await world.redeem(code));
  await world.redeem(code);
  await world.redeem(code, { client_secret: 'nearly-right' });
  world.gitHub.fixedAnswers.set('/user', { status: 500, body: '{}' });
  await world.redeem(await world.codeForCognito());
  expect(world.logged).toContain('invalid_client');
  for (const secret of [code, access_token, id_token, clientSecret, 'nearly-right', 'gho_', 'example.com']) {
    expect(world.logged).not.toContain(secret);
  }
});
