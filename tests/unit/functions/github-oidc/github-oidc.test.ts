import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { serveGitHubOidc } from '../../../../functions/github-oidc/github-oidc.ts';
import {
  authorization,
  bodyOf,
  cipher,
  clientSecret,
  cognitoCallback,
  cognitoState,
  cookieOf,
  GitHubOidcWorld,
  issuer,
  locationOf,
  signInPage,
  start,
} from '../../../fixtures/fakes/github-oidc-world.ts';
import { fromCloudFront } from '../../../fixtures/fakes/origin-key.ts';

let world: GitHubOidcWorld;

beforeAll(async () => {
  world = await GitHubOidcWorld.start();
});
afterAll(() => world.gitHub.stop());
beforeEach(() => world.reset());

/** The claims about the user of the fake GitHub. */
const ofAda = { sub: '4711', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' };

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
    const issued = { iss: issuer, aud: 'cognito', iat: seconds, exp: seconds + 300 };
    expect(payload).toEqual({ ...issued, nonce: 'a-nonce', ...ofAda });
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
    const expected = { expectedNonce: 'a-nonce', requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, expected);
    await oauth.validateApplicationLevelSignature(server, answer, options);
    const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
    const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token, options);
    expect(await oauth.processUserInfoResponse(server, client, sub, userinfo)).toEqual(ofAda);
    vi.useRealTimers();
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

  const withOtherLetters = (text: string) => {
    const at = text.length - 30;
    return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
  };
  const forAnotherPurpose = async (cookie: string) => {
    const encrypted = await cipher.encrypt('code', { code: 'c', verifier: 'v' }, world.now);
    return `${cookie.slice(0, cookie.indexOf('='))}=${encrypted}`;
  };

  test.each<[string, (cookie: string) => string | undefined | Promise<string>]>([
    ['no cookie', () => undefined],
    ['another cookie', () => 'other=1'],
    ['the cookie of a sign-in in another browser', async () => (await world.signInAtGitHub()).cookie],
    ['a cookie that was changed', withOtherLetters],
    ['a cookie that was encrypted for another purpose', forAnotherPurpose],
  ])('refuses a callback with %s', async (_, cookieFrom) => {
    const { back, cookie } = await world.signInAtGitHub();
    const sent = await cookieFrom(cookie);
    const answer = await world.ask('callback', { query: back.search, ...(sent && { cookies: [sent] }) });
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
    const answer = await world.ask('callback', { query: query.toString(), cookies: [cookie] });
    const { searchParams } = locationOf(answer);
    expect(searchParams.get('error')).toBe(error);
    expect(searchParams.has('code')).toBe(false);
  });

  test("reports GitHub's error for a wrong setup as a server error of OAuth", async () => {
    const { back, cookie } = await world.signInAtGitHub();
    const state = back.searchParams.get('state') ?? '';
    const query = { state, error: 'redirect_uri_mismatch' };
    const answer = await world.ask('callback', { query, cookies: [cookie] });
    expect(locationOf(answer).searchParams.get('error')).toBe('server_error');
    expect(world.logged).toContain('redirect_uri_mismatch');
  });
});
