import { generateKeyPairSync, sign } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { github } from '../../../functions/adapters/github.ts';
import type { SigningKey } from '../../../functions/adapters/kms.ts';
import { serveGitHubOidc } from '../../../functions/github-oidc/github-oidc.ts';
import { cipherOf } from '../../../functions/github-oidc/cipher.ts';
import { startFakeGitHub } from '../../fixtures/fake-github.ts';
import { fromCloudFront } from '../../fixtures/origin-key.ts';

const issuer = 'https://selfsame.example/api/github-oidc';
const cognitoCallback = 'https://selfsame.auth.us-east-1.amazoncognito.com/oauth2/idpresponse';
const clientSecret = 'what-Cognito-shows';
const gitHubClient = { clientId: 'github-id', clientSecret: 'github-secret' };
const start = new Date('2026-01-20T12:00:00Z');
// As long as Cognito's. GitHub fails on such a state.
const cognitoState = 'H4sIAAAA'.repeat(150);
const cipher = cipherOf(clientSecret);

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key: SigningKey = {
  sign: async (text) => sign('RSA-SHA256', Buffer.from(text), privateKey),
  publicKey: async () => publicKey,
};

let fake: Awaited<ReturnType<typeof startFakeGitHub>>;
let now: Date;
let logged: string;

beforeAll(async () => {
  fake = await startFakeGitHub(gitHubClient);
});
afterAll(() => fake.stop());

beforeEach(() => {
  now = start;
  logged = '';
  const note = (...line: unknown[]) => {
    logged += JSON.stringify(line);
  };
  vi.spyOn(console, 'info').mockImplementation(note);
  vi.spyOn(console, 'error').mockImplementation(note);
  fake.fixedAnswers.clear();
  fake.requests.length = 0;
  Object.assign(fake.user, {
    id: 4711,
    name: 'Ada Lovelace',
    emails: [
      { email: 'ada@work.example', primary: false, verified: true },
      { email: 'ada@example.com', primary: true, verified: true },
    ],
  });
});

const ours = () => ({
  url: issuer,
  cognitoCallback,
  github: github({ GITHUB_URL: fake.origin, GITHUB_API: fake.origin }, async () => gitHubClient),
  key,
  secrets: async () => ({ clientSecret, cipher }),
});
const handle = (event: Partial<APIGatewayProxyEventV2>) =>
  serveGitHubOidc(ours(), () => now)(event as APIGatewayProxyEventV2);

interface Asked {
  method?: 'GET' | 'POST' | 'DELETE';
  query?: Record<string, string> | string;
  headers?: Record<string, string>;
  cookies?: string[];
  body?: string;
}

/** Calls a step as API Gateway does. */
const ask = (
  step: string,
  { method = 'GET', query = {}, headers = {}, cookies, body }: Asked,
): Promise<APIGatewayProxyStructuredResultV2> =>
  handle({
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { ...fromCloudFront, ...headers },
    ...(cookies && { cookies }),
    ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined,
    pathParameters: { step },
    requestContext: { requestId: 'request', http: { method } } as APIGatewayProxyEventV2['requestContext'],
  });

const bodyOf = ({ body }: APIGatewayProxyStructuredResultV2) =>
  JSON.parse(body ?? 'null') as Record<string, string>;
const locationOf = ({ headers }: APIGatewayProxyStructuredResultV2) => new URL(String(headers?.['location']));
const cookieOf = ({ cookies }: APIGatewayProxyStructuredResultV2) => cookies?.[0]?.split(';')[0] ?? '';

const authorization = {
  client_id: 'cognito',
  redirect_uri: cognitoCallback,
  response_type: 'code',
  scope: 'openid email profile',
  state: cognitoState,
  nonce: 'a-nonce',
};

/** Signs in at GitHub. Returns the address that GitHub redirects to, and the browser's cookie. */
async function signInAtGitHub(): Promise<{ back: URL; cookie: string }> {
  const answer = await ask('authorize', { query: authorization });
  return { back: fake.authorize(locationOf(answer).href), cookie: cookieOf(answer) };
}

/** Signs in up to Cognito. Returns Cognito's code. */
async function codeForCognito(): Promise<string> {
  const { back, cookie } = await signInAtGitHub();
  const answer = await ask('callback', { query: back.search, cookies: [cookie] });
  return locationOf(answer).searchParams.get('code') ?? '';
}

const redeem = (code: string, changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  ask('token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: formToRedeem(code, changes),
  });

const formToRedeem = (code: string, changes: Record<string, string> = {}) =>
  new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: cognitoCallback,
    client_id: 'cognito',
    client_secret: clientSecret,
    ...changes,
  }).toString();

const later = (seconds: number) => {
  now = new Date(start.getTime() + seconds * 1000);
};

describe('a whole sign-in', () => {
  test('ends in an ID token that the published key verifies', async () => {
    const { id_token = '' } = bodyOf(await redeem(await codeForCognito()));
    const published = bodyOf(await ask('jwks', {})) as unknown as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(id_token, createLocalJWKSet(published), {
      issuer,
      audience: 'cognito',
      algorithms: ['RS256'],
      currentDate: now,
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
    vi.useFakeTimers({ now, toFake: ['Date'] });
    const server: oauth.AuthorizationServer = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
    };
    const client: oauth.Client = { client_id: 'cognito' };
    const options = {
      [oauth.customFetch]: async (
        url: string,
        {
          method,
          headers,
          body,
        }: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: unknown },
      ) => {
        const answer = await ask(url.split('/').at(-1) ?? '', {
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
    const { back, cookie } = await signInAtGitHub();
    const callback = await ask('callback', { query: back.search, cookies: [cookie] });
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
    const { access_token } = bodyOf(await redeem(await codeForCognito()));
    const answer = await ask('userinfo', { headers: { authorization: `Bearer ${access_token}` } });
    expect(bodyOf(answer)).toEqual({
      sub: '4711',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
    });
  });

  test("hands GitHub's token to no one", async () => {
    const answer = await redeem(await codeForCognito());
    const [gitHubToken = ''] = [...fake.tokens].slice(-1);
    expect(gitHubToken).toMatch(/^gho_/);
    expect(JSON.stringify(answer)).not.toContain(gitHubToken);
    const opened = await cipher.decrypt('access-token', bodyOf(answer)['access_token'] ?? '', now);
    expect(opened).toBeDefined();
    expect(JSON.stringify(opened)).not.toContain(gitHubToken);
  });

  test('has no nonce if Cognito sends none', async () => {
    const { nonce: _, ...query } = authorization;
    const answer = await ask('authorize', { query });
    const back = fake.authorize(locationOf(answer).href);
    const callback = await ask('callback', { query: back.search, cookies: [cookieOf(answer)] });
    const { id_token = '' } = bodyOf(await redeem(locationOf(callback).searchParams.get('code') ?? ''));
    const { payload } = await jwtVerify(id_token, publicKey, { currentDate: now });
    expect(payload).not.toHaveProperty('nonce');
  });

  test('names a user without a name by the login', async () => {
    fake.user.name = null;
    const { id_token = '' } = bodyOf(await redeem(await codeForCognito()));
    expect((await jwtVerify(id_token, publicKey, { currentDate: now })).payload['name']).toBe('ada');
  });

  test('writes addresses in lower case, so that a search finds them', async () => {
    fake.user.emails = [{ email: 'Ada@Example.COM', primary: true, verified: true }];
    const { id_token = '' } = bodyOf(await redeem(await codeForCognito()));
    expect((await jwtVerify(id_token, publicKey, { currentDate: now })).payload['email']).toBe(
      'ada@example.com',
    );
  });
});

describe('authorize', () => {
  test('sends to GitHub a short state, a challenge and the scopes it needs', async () => {
    const answer = await ask('authorize', { query: authorization });
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
    const { cookies } = await ask('authorize', { query: authorization });
    const [cookie, ...attributes] = cookies?.[0]?.split('; ') ?? [];
    expect(cookie).toMatch(/^__Host-/);
    expect(cookie).not.toContain(cognitoState);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure']);
  });

  test('sets a cookie within the size that browsers accept, for the longest state', async () => {
    const query = { ...authorization, state: 's'.repeat(2_500), nonce: 'n'.repeat(250) };
    const cookie = cookieOf(await ask('authorize', { query }));
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
  ])('redirects nowhere for %s', async (_, change) => {
    const answer = await ask('authorize', { query: { ...authorization, ...change } });
    expect(answer.statusCode).toBe(400);
    expect(bodyOf(answer)['error']).toBe('invalid_request');
    expect(answer.headers).not.toHaveProperty('location');
    expect(answer.cookies).toBeUndefined();
  });

  test.each(['openid', 'email openid', 'openid email', 'email openid profile'])(
    'accepts the scopes %o',
    async (scope) => {
      expect((await ask('authorize', { query: { ...authorization, scope } })).statusCode).toBe(302);
    },
  );

  test('begins a sign-in at the time of day', async () => {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    const begin = serveGitHubOidc(ours())({
      rawQueryString: new URLSearchParams(authorization).toString(),
      headers: fromCloudFront,
      pathParameters: { step: 'authorize' },
      requestContext: { requestId: 'request', http: { method: 'GET' } },
    } as unknown as APIGatewayProxyEventV2);
    const cookie = cookieOf(await begin.finally(() => void vi.useRealTimers()));
    const encrypted = cookie.slice(cookie.indexOf('=') + 1);
    later(599);
    expect(await cipher.decrypt('sign-in', encrypted, now)).toMatchObject({ theirs: cognitoState });
    later(600);
    expect(await cipher.decrypt('sign-in', encrypted, now)).toBeUndefined();
  });

  test('refuses a parameter that is given twice', async () => {
    const query = `${new URLSearchParams(authorization).toString()}&state=another`;
    expect(bodyOf(await ask('authorize', { query }))).toEqual({
      error: 'invalid_request',
      error_description: 'A parameter is given twice.',
    });
  });
});

describe('callback', () => {
  test("redirects to Cognito with Cognito's own state, and expires the cookie", async () => {
    const { back, cookie } = await signInAtGitHub();
    const answer = await ask('callback', { query: back.search, cookies: ['other=1', cookie] });
    const location = locationOf(answer);
    expect(`${location.origin}${location.pathname}`).toBe(cognitoCallback);
    expect(location.searchParams.get('state')).toBe(cognitoState);
    expect(location.searchParams.get('code')).not.toContain(back.searchParams.get('code'));
    expect(answer.cookies?.[0]).toMatch(/^__Host-[\w-]+=; Path=\/; Max-Age=0;/);
  });

  test('does not call GitHub before Cognito redeems the code', async () => {
    await codeForCognito();
    expect(fake.requests).toEqual([]);
  });

  test('refuses the state of a sign-in in another browser', async () => {
    const { cookie } = await signInAtGitHub();
    const { back: attackers } = await signInAtGitHub();
    const answer = await ask('callback', { query: attackers.search, cookies: [cookie] });
    expect(answer.statusCode).toBe(400);
    expect(bodyOf(answer)['error']).toBe('invalid_request');
    expect(answer.cookies).toBeUndefined();
  });

  test.each([[undefined], [['other=1']]])('refuses a callback with the cookies %o', async (cookies) => {
    const { back } = await signInAtGitHub();
    const answer = await ask('callback', { query: back.search, ...(cookies && { cookies }) });
    expect(answer.statusCode).toBe(400);
  });

  test('refuses a cookie that was changed', async () => {
    const { back, cookie } = await signInAtGitHub();
    const place = cookie.length - 30;
    const changed = cookie.slice(0, place) + (cookie[place] === 'A' ? 'B' : 'A') + cookie.slice(place + 1);
    expect((await ask('callback', { query: back.search, cookies: [changed] })).statusCode).toBe(400);
  });

  test('refuses a cookie that was encrypted for another purpose', async () => {
    const { back, cookie } = await signInAtGitHub();
    const other = await cipher.encrypt('code', { code: 'c', verifier: 'v' }, now);
    const name = cookie.slice(0, cookie.indexOf('='));
    expect((await ask('callback', { query: back.search, cookies: [`${name}=${other}`] })).statusCode).toBe(
      400,
    );
  });

  test('refuses a sign-in after ten minutes, and not before', async () => {
    const { back, cookie } = await signInAtGitHub();
    later(599);
    expect((await ask('callback', { query: back.search, cookies: [cookie] })).statusCode).toBe(302);
    later(600);
    expect((await ask('callback', { query: back.search, cookies: [cookie] })).statusCode).toBe(400);
  });

  test('tells Cognito that the user declined', async () => {
    const { back, cookie } = await signInAtGitHub();
    const state = back.searchParams.get('state') ?? '';
    const query = { state, error: 'access_denied', error_description: '<b>anything</b>' };
    const { searchParams } = locationOf(await ask('callback', { query, cookies: [cookie] }));
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
    const { back, cookie } = await signInAtGitHub();
    const query = new URLSearchParams({ state: back.searchParams.get('state') ?? '', ...parameters });
    const { searchParams } = locationOf(
      await ask('callback', { query: query.toString(), cookies: [cookie] }),
    );
    expect(searchParams.get('error')).toBe(error);
    expect(searchParams.has('code')).toBe(false);
  });

  test("reports GitHub's error for a wrong setup as a server error of OAuth", async () => {
    const { back, cookie } = await signInAtGitHub();
    const state = back.searchParams.get('state') ?? '';
    const answer = await ask('callback', {
      query: { state, error: 'redirect_uri_mismatch' },
      cookies: [cookie],
    });
    expect(locationOf(answer).searchParams.get('error')).toBe('server_error');
    expect(logged).toContain('redirect_uri_mismatch');
  });
});

describe('token', () => {
  test('accepts the secret by HTTP Basic as well', async () => {
    const basic = `Basic ${Buffer.from(`cognito:${clientSecret}`).toString('base64')}`;
    const answer = await ask('token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: await codeForCognito(),
        redirect_uri: cognitoCallback,
      }).toString(),
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers?.['cache-control']).toBe('no-store');
  });

  test('redeems a code once', async () => {
    const code = await codeForCognito();
    expect((await redeem(code)).statusCode).toBe(200);
    const again = await redeem(code);
    expect(again.statusCode).toBe(400);
    expect(bodyOf(again)['error']).toBe('invalid_grant');
  });

  test('refuses a code after a minute, without calling GitHub', async () => {
    const code = await codeForCognito();
    later(60);
    expect(bodyOf(await redeem(code))['error']).toBe('invalid_grant');
    expect(fake.requests).toEqual([]);
  });

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an empty secret', { client_secret: '' }, 401, 'invalid_client'],
    ['another client', { client_id: 'another' }, 401, 'invalid_client'],
    ['another grant', { grant_type: 'refresh_token' }, 400, 'unsupported_grant_type'],
    ['another address', { redirect_uri: 'https://evil.example' }, 400, 'invalid_grant'],
    ['an unknown code', { code: 'made-up' }, 400, 'invalid_grant'],
  ])('refuses %s', async (_, change, status, error) => {
    const answer = await redeem(await codeForCognito(), change);
    expect(answer.statusCode).toBe(status);
    expect(bodyOf(answer)['error']).toBe(error);
    expect(fake.requests).toEqual([]);
  });

  test('answers an unknown client with a challenge', async () => {
    const answer = await redeem('code', { client_secret: 'wrong' });
    expect(answer.headers?.['www-authenticate']).toMatch(/^Basic/);
  });

  test.each(['cognito', `cognito${clientSecret}`, ''])(
    'refuses the HTTP Basic credentials %o',
    async (text) => {
      const answer = await ask('token', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(text).toString('base64')}`,
        },
        body: 'grant_type=authorization_code',
      });
      expect(answer.statusCode).toBe(401);
      expect(bodyOf(answer)['error']).toBe('invalid_client');
    },
  );

  test('refuses a client that sends its secret in both ways', async () => {
    const basic = `Basic ${Buffer.from(`cognito:${clientSecret}`).toString('base64')}`;
    expect(bodyOf(await redeem(await codeForCognito(), {}, { authorization: basic }))['error']).toBe(
      'invalid_request',
    );
  });

  test('refuses an access token instead of a code', async () => {
    const { access_token = '' } = bodyOf(await redeem(await codeForCognito()));
    expect(bodyOf(await redeem(access_token))['error']).toBe('invalid_grant');
  });

  test.each([
    ['another type', { 'content-type': 'application/json' }],
    ['no type', { 'content-type': '' }],
  ])('refuses a form that is sent as %s', async (_, headers) => {
    const answer = await redeem(await codeForCognito(), {}, headers);
    expect(answer.statusCode).toBe(400);
    expect(bodyOf(answer)).toEqual({
      error: 'invalid_request',
      error_description: 'The body has to be a form.',
    });
  });

  test('accepts a form whose type is in capitals and names an encoding', async () => {
    const headers = { 'content-type': 'Application/X-WWW-Form-Urlencoded ; charset=UTF-8' };
    expect((await redeem(await codeForCognito(), {}, headers)).statusCode).toBe(200);
  });

  test('refuses a body of more than eight kibibytes', async () => {
    const length = formToRedeem('').length;
    expect((await redeem('c'.repeat(8 * 1024 - length))).statusCode).toBe(400);
    expect((await redeem('c'.repeat(8 * 1024 - length + 1))).statusCode).toBe(413);
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
    fake.user.emails = emails;
    const answer = await redeem(await codeForCognito());
    expect(answer.statusCode).toBe(400);
    expect(bodyOf(answer)).toEqual({
      error: 'access_denied',
      error_description:
        'GitHub has no verified e-mail address for this account. Verify one at GitHub and try again.',
    });
  });

  test('says the same if GitHub itself refuses an unverified user', async () => {
    fake.fixedAnswers.set('/login/oauth/access_token', {
      status: 200,
      body: '{"error":"unverified_user_email","error_description":"…"}',
    });
    expect(bodyOf(await redeem(await codeForCognito()))['error']).toBe('access_denied');
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
    fake.fixedAnswers.set(path, { status, body });
    const answer = await redeem(await codeForCognito());
    expect(answer.statusCode).toBe(502);
    expect(bodyOf(answer)['error']).toBe('temporarily_unavailable');
    expect(logged).toContain('"upstream":"github"');
    expect(logged).toContain(path);
  });

  test('no answer becomes a 502 too', async () => {
    const gone = await startFakeGitHub(gitHubClient);
    await gone.stop();
    const code = await codeForCognito();
    const alive = fake;
    fake = gone;
    const answer = await redeem(code).finally(() => {
      fake = alive;
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
    const answer = await ask('userinfo', { headers });
    expect(answer.statusCode).toBe(401);
    expect(bodyOf(answer)['error']).toBe('invalid_token');
    expect(answer.headers?.['www-authenticate']).toMatch(/^Bearer/);
  });

  test('accepts a token under the scheme’s name in any case, and nothing beside it', async () => {
    const { access_token } = bodyOf(await redeem(await codeForCognito()));
    const statusFor = async (header: string) =>
      (await ask('userinfo', { headers: { authorization: header } })).statusCode;
    expect(await statusFor(`bearer ${access_token}`)).toBe(200);
    expect(await statusFor(`Basic ${access_token}`)).toBe(401);
    expect(await statusFor(`Bearer ${access_token} more`)).toBe(401);
  });

  test('refuses a token after five minutes', async () => {
    const { access_token } = bodyOf(await redeem(await codeForCognito()));
    later(300);
    const answer = await ask('userinfo', { headers: { authorization: `Bearer ${access_token}` } });
    expect(answer.statusCode).toBe(401);
  });

  test('refuses a code instead of a token', async () => {
    const answer = await ask('userinfo', { headers: { authorization: `Bearer ${await codeForCognito()}` } });
    expect(answer.statusCode).toBe(401);
  });
});

test('only the public key is published, cacheable for an hour', async () => {
  const answer = await ask('jwks', {});
  expect(answer.headers?.['cache-control']).toBe('public, max-age=3600');
  const { keys } = bodyOf(answer) as unknown as JSONWebKeySet;
  expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('other steps and other methods are refused', async () => {
  expect((await ask('nothing', {})).statusCode).toBe(404);
  expect((await ask('constructor', {})).statusCode).toBe(404);
  expect((await ask('token', {})).statusCode).toBe(405);
  expect((await ask('authorize', { method: 'DELETE' })).statusCode).toBe(405);
});

test('a request without a step is answered like one for an unknown step', async () => {
  const answer = await handle({
    headers: fromCloudFront,
    requestContext: {
      requestId: 'request',
      http: { method: 'GET' },
    } as APIGatewayProxyEventV2['requestContext'],
  });
  expect(answer.statusCode).toBe(404);
});

test('a refusal is not logged as a failure, which would raise the alarm', async () => {
  await ask('userinfo', {});
  expect(JSON.parse(logged)).toEqual([
    { event: 'github-step-refused', step: 'userinfo', requestId: 'request', code: 'invalid_token' },
  ]);
});

test('an unexpected failure is answered without detail', async () => {
  const broken = serveGitHubOidc({
    url: issuer,
    cognitoCallback,
    github: github({ GITHUB_URL: fake.origin, GITHUB_API: fake.origin }, async () => gitHubClient),
    key,
    secrets: () => Promise.reject(new Error('the secret is gone')),
  });
  const answer = await broken({
    headers: fromCloudFront,
    rawQueryString: '',
    pathParameters: { step: 'userinfo' },
    requestContext: { requestId: 'request', http: { method: 'GET' } },
  } as unknown as APIGatewayProxyEventV2);
  expect(answer.statusCode).toBe(500);
  expect(bodyOf(answer)['error']).toBe('server_error');
  expect(answer.body).not.toContain('gone');
  expect(logged).toContain('gone');
});

test('no log line contains a code, a token, a secret or an address', async () => {
  const code = await codeForCognito();
  const { access_token = '', id_token = '' } = bodyOf(await redeem(code));
  await redeem(code);
  await redeem(code, { client_secret: 'nearly-right' });
  fake.fixedAnswers.set('/user', { status: 500, body: '{}' });
  await redeem(await codeForCognito());
  expect(logged).toContain('invalid_client');
  for (const secret of [code, access_token, id_token, clientSecret, 'nearly-right', 'gho_', 'example.com']) {
    expect(logged).not.toContain(secret);
  }
});
