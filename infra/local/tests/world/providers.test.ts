import { createHash, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Clock } from '../../base/clock.ts';
import { listen, type Loopback } from '../../base/loopback.ts';
import { IdentityProviders } from '../../vendors/identity-providers/identity-providers.ts';
import { Store } from '../../base/store.ts';

const clients = {
  google: { clientId: 'google-id', clientSecret: 'google+secret/=' },
  github: { clientId: 'github-id', clientSecret: 'github-secret' },
};
const CALLBACK = 'http://localhost:3001/oauth2/idpresponse';
const MINUTE = 60 * 1000;

let clock: Clock;
let store: Store;
let server: Loopback;
let providers: IdentityProviders;
let [google, github] = ['', ''];

async function start(): Promise<void> {
  server = await listen(0, (request, response) => providers.handle(request, response));
  const origin = `http://localhost:${server.port}`;
  providers = new IdentityProviders({ clock, store, origin, clients });
  [google, github] = [`${origin}/google`, `${origin}/github`];
}

beforeEach(async () => {
  clock = new Clock();
  store = new Store(':memory:');
  await start();
});
afterEach(() => server.close());

type Fields = Record<string, string>;

const addressWith = (place: string, fields: Fields): string => {
  const address = new URL(place);
  address.search = new URLSearchParams(fields).toString();
  return address.href;
};

const googleAddress = (changes: Fields = {}): string =>
  addressWith(`${google}/o/oauth2/v2/auth`, {
    client_id: clients.google.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'state',
    ...changes,
  });

const githubAddress = (changes: Fields = {}): string =>
  addressWith(`${github}/login/oauth/authorize`, {
    client_id: clients.github.clientId,
    redirect_uri: CALLBACK,
    scope: 'read:user user:email',
    state: 'state',
    ...changes,
  });

/** Presses a button of the page. Resolves with the address of the redirect. */
async function press(page: string, fields: Fields): Promise<URL> {
  const body = new URLSearchParams(fields);
  const response = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

const ADA = { person: 'ada@example.com' };
const codeOf = async (page: string, fields: Fields = ADA): Promise<string> =>
  (await press(page, fields)).searchParams.get('code') ?? '';

const post = (page: string, fields: Fields, headers: Fields): Promise<Response> =>
  fetch(page, { method: 'POST', headers, body: new URLSearchParams(fields) });

const askGoogle = (fields: Fields, headers: Fields = {}): Promise<Response> => {
  const { clientId: client_id, clientSecret: client_secret } = clients.google;
  const own = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: CALLBACK };
  return post(`${google}/token`, { ...own, ...fields }, headers);
};

const askGithub = (fields: Fields, accept = 'application/json'): Promise<Response> => {
  const { clientId: client_id, clientSecret: client_secret } = clients.github;
  return post(`${github}/login/oauth/access_token`, { client_id, client_secret, ...fields }, { accept });
};

const read = async <T extends object = Fields>(response: Response | Promise<Response>): Promise<T> =>
  (await (await response).json()) as T;

test('an OpenID Connect client signs a user in with Google and verifies every answer', async () => {
  const as: oauth.AuthorizationServer = {
    issuer: 'https://accounts.google.com',
    token_endpoint: `${google}/token`,
    userinfo_endpoint: `${google}/v1/userinfo`,
  };
  const client = { client_id: clients.google.clientId };
  const insecure = { [oauth.allowInsecureRequests]: true };
  const [verifier, state, nonce] = [oauth.generateRandomCodeVerifier(), 'a state', 'a nonce'];
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const page = googleAddress({ state, nonce, code_challenge: challenge, code_challenge_method: 'S256' });

  const returned = oauth.validateAuthResponse(as, client, await press(page, ADA), state);
  const answer = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.ClientSecretBasic(clients.google.clientSecret),
    returned,
    CALLBACK,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  const { payload } = await jwtVerify(
    tokens.id_token ?? '',
    createRemoteJWKSet(new URL(`${google}/oauth2/v3/certs`)),
    {
      issuer: 'https://accounts.google.com',
      audience: clients.google.clientId,
    },
  );
  const ada = { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true };
  expect(payload).toMatchObject({ ...ada, sub: expect.stringMatching(/^\d{21}$/) as string });
  const userInfo = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
  expect(await oauth.processUserInfoResponse(as, client, payload.sub ?? '', userInfo)).toMatchObject(ada);
});

test.each([
  ['Google', askGoogle, googleAddress, 'invalid_grant'],
  ['GitHub', askGithub, githubAddress, 'bad_verification_code'],
] as const)('a code of %s works once, within ten minutes', async (_, ask, address, error) => {
  const [soon, late] = [await codeOf(address()), await codeOf(address())];
  await clock.advance(9 * MINUTE);
  expect(await read(ask({ code: soon }))).toHaveProperty('access_token');
  expect(await read(ask({ code: soon }))).toMatchObject({ error });
  await clock.advance(MINUTE);
  expect(await read(ask({ code: late }))).toMatchObject({ error });
});

test.each<[string, Fields, number, string]>([
  ['another client', { client_id: 'other' }, 401, 'invalid_client'],
  ['a wrong secret', { client_secret: 'other' }, 401, 'invalid_client'],
  ['another address', { redirect_uri: `${CALLBACK}/` }, 400, 'redirect_uri_mismatch'],
  ['a code it never gave', { code: '4/0other' }, 400, 'invalid_grant'],
  ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
])('Google gives no token for %s', async (_, fields, status, error) => {
  const response = await askGoogle({ code: await codeOf(googleAddress()), ...fields });
  expect(response.status).toBe(status);
  expect(await read(response)).toMatchObject({ error });
});

const challenged = (verifier: string) => ({
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
});

test.each([
  ['without the verifier', {}],
  ['with another verifier', { code_verifier: 'other' }],
])('a stolen code is refused %s', async (_, fields) => {
  const verifier = randomBytes(32).toString('base64url');
  const atGoogles = await codeOf(googleAddress(challenged(verifier)));
  expect(await read(askGoogle({ code: atGoogles, ...fields }))).toMatchObject({ error: 'invalid_grant' });
  const atGithubs = await codeOf(githubAddress(challenged(verifier)));
  expect(await read(askGithub({ code: atGithubs, ...fields }))).toMatchObject({
    error: 'bad_verification_code',
  });
  const own = await codeOf(githubAddress(challenged(verifier)));
  expect(await read(askGithub({ code: own, code_verifier: verifier }))).toHaveProperty('access_token');
});

test.each<[string, () => string, number]>([
  ['an unknown client of Google', () => googleAddress({ client_id: 'other' }), 401],
  ['a relative address at Google', () => googleAddress({ redirect_uri: '/here' }), 400],
  ['an address that is a script', () => googleAddress({ redirect_uri: 'javascript:alert(1)' }), 400],
  ['another response type', () => googleAddress({ response_type: 'token' }), 400],
  ['a scope that Google does not know', () => googleAddress({ scope: 'openid calendar' }), 400],
  ['no scope at Google', () => googleAddress({ scope: '' }), 400],
  ['plain PKCE at Google', () => googleAddress({ code_challenge: 'a' }), 400],
  ['an unknown client of GitHub', () => githubAddress({ client_id: 'other' }), 404],
  ['a relative address at GitHub', () => githubAddress({ redirect_uri: '/here' }), 400],
  ['plain PKCE at GitHub', () => githubAddress({ code_challenge: 'a' }), 400],
])('%s is refused on a page, without a redirect', async (_, address, status) => {
  for (const method of ['GET', 'POST']) {
    const body = method === 'POST' ? new URLSearchParams(ADA) : null;
    const response = await fetch(address(), { method, body, redirect: 'manual' });
    expect(response.status).toBe(status);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).toContain('Local stand-in for');
  }
});

test.each<[string, Fields, string]>([
  ['another client', { client_id: 'other' }, 'incorrect_client_credentials'],
  ['a wrong secret', { client_secret: 'other' }, 'incorrect_client_credentials'],
  ['another address', { redirect_uri: 'https://other.example/' }, 'redirect_uri_mismatch'],
  ['a code it never gave', { code: 'other' }, 'bad_verification_code'],
])('GitHub refuses %s with a status of 200', async (_, fields, error) => {
  const response = await askGithub({ code: await codeOf(githubAddress()), ...fields });
  expect(response.status).toBe(200);
  expect(await read(response)).toMatchObject({ error, error_description: expect.any(String) as string });
});
