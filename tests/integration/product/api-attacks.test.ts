import {
  AdminUpdateUserAttributesCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Clock } from '../../../infra/local/start-world.ts';
import { JwtAuthorizer } from '../../../infra/local/aws/http-api/jwt-authorizer.ts';
import type { Message } from '../../../infra/local/base/inbox.ts';
import { api } from '../../../schemas/api.ts';
import type { Endpoint } from '../../../schemas/routes/endpoint.ts';
import { SiteConfig } from '../../../schemas/config/site-config.ts';
import { type Tokens, tokensOf } from '../../fixtures/worlds/access-token.ts';
import { password, poolId, startCognito } from '../../fixtures/worlds/cognito-stand-in.ts';
import { cookieClient, type NewUser } from '../../../infra/local/people/cookie-client.ts';
import { answerOf, type HostedTokens, signInBy, newUser } from '../../fixtures/worlds/hosted-sign-in.ts';
import { browserThatSignsUp, codeIn, createAccount, type Account } from '../../fixtures/worlds/account.ts';
import { stackOnce } from '../../fixtures/worlds/stack-once.ts';
import { World } from '../../fixtures/worlds/world.ts';

const PORT = 4_660;
const world = new World(PORT);
let config: SiteConfig;
/** The account that is attacked. */
let ada: Account;
let adasTokens: Tokens;
/** Another user, who signed up by a provider. */
const eve = newUser('Eve');
let evesTokens: HostedTokens;
let relayTokens: HostedTokens;
/** From the site's client, without the scope for the API. */
let tokensWithoutScope: HostedTokens;
let expiredTokens: Tokens;
let otherPoolsToken: string;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

beforeAll(async () => {
  await stackOnce();
  await world.start();
  config = SiteConfig.parse(await world.get('/config.json'));
  ada = await createAccount(world);
  expiredTokens = await tokensOf(world, ada);
  await world.advance('PT16M');
  adasTokens = await tokensOf(world, ada);
  evesTokens = await signInBy(world, { provider: 'Google', user: eve });
  tokensWithoutScope = await signInBy(world, { provider: 'Google', user: eve, scope: 'openid email' });
  relayTokens = await signInBy(world, { provider: 'GitHub', user: newUser(), client: 'relay' });
  otherPoolsToken = await createTokenOfOtherPool();
  // Eight sign-ins and a synthesis.
}, 120_000);
afterAll(() => world.stop());

/** A valid access token of another pool, whose client has the id of ours. */
async function createTokenOfOtherPool(): Promise<string> {
  const ClientId = config.userPoolClientId;
  const ExplicitAuthFlows = ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
  const otherPool = await startCognito({
    declare: (service) => service.putUserPoolClient(poolId, ClientId, { ExplicitAuthFlows }),
  });
  await otherPool.confirmedUser('ada@example.com');
  const { body } = await otherPool.call('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    ClientId,
    AuthParameters: { USERNAME: 'ada@example.com', PASSWORD: password },
  });
  await otherPool.stop();
  return body.AuthenticationResult.AccessToken as string;
}

interface RequestParts {
  headers?: Record<string, string>;
  query?: string;
}
interface Answer {
  status: number;
  text: string;
}

async function send(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { headers = {}, query = '' }: RequestParts = {},
  body = '{}',
): Promise<Answer> {
  const response = await fetch(`${world.origin}/api${path}${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

const bearer = (token: string): RequestParts => ({ headers: { authorization: `Bearer ${token}` } });
const call = async (route: Endpoint, token: string, body: unknown = {}) => {
  const { status, text } = await send(route, bearer(token), JSON.stringify(body));
  return { status, body: JSON.parse(text) as Record<string, unknown> };
};

/** The claims of a valid token, with a header and a key of the attacker. */
const forged = (key: KeyObject, header: Partial<JWTHeaderParameters> = {}): Promise<string> =>
  new SignJWT(decodeJwt(adasTokens.access))
    .setProtectedHeader({ alg: 'RS256', kid: decodeProtectedHeader(adasTokens.access).kid ?? '', ...header })
    .sign(key);

async function publishedKey(): Promise<KeyObject> {
  const response = await fetch(`${config.userPoolEndpoint}/${config.userPoolId}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: JWK[] };
  return createPublicKey({ key: { ...keys[0] }, format: 'jwk' });
}

const routes: [string, Endpoint][] = Object.entries(api);
// New routes are tested without further edits.
const signedIn = routes.filter(([, { caller }]) => caller === 'bearer');

describe.each(signedIn)('%s', (_, route) => {
  test.each<[string, () => RequestParts | Promise<RequestParts>]>([
    ['a refresh token', () => bearer(evesTokens.refresh_token)],
    ['another pool’s token', () => bearer(otherPoolsToken)],
    ['a token that has expired', () => bearer(expiredTokens.access)],
    ['valid claims signed with the attacker’s key', async () => bearer(await forged(rsa.privateKey))],
    [
      'valid claims signed with a key of an unpublished id',
      async () => bearer(await forged(rsa.privateKey, { kid: 'mine' })),
    ],
    [
      'an HS256 signature with the public key as secret',
      async () => {
        const pem = (await publishedKey()).export({ format: 'pem', type: 'spki' });
        return bearer(await forged(createSecretKey(Buffer.from(pem)), { alg: 'HS256' }));
      },
    ],
    [
      'a token that contains its key',
      async () => bearer(await forged(rsa.privateKey, { jwk: await exportJWK(rsa.publicKey) })),
    ],
    ['a valid token in the query', () => ({ query: `?access_token=${adasTokens.access}` })],
    [
      'a valid token in a cookie',
      () => ({ headers: { cookie: `Authorization=Bearer ${adasTokens.access}` } }),
    ],
    ['a valid token as Basic', () => ({ headers: { authorization: `Basic ${adasTokens.access}` } })],
    [
      'a valid token after an invalid token in one header',
      () => ({
        headers: { authorization: `Bearer ${expiredTokens.access}, Bearer ${adasTokens.access}` },
      }),
    ],
    [
      'a valid token before an invalid token in one header',
      () => ({
        headers: { authorization: `Bearer ${adasTokens.access}, Bearer ${expiredTokens.access}` },
      }),
    ],
    [
      'an invalid token with the scheme in lower case',
      () => ({ headers: { authorization: `bearer ${expiredTokens.access}` } }),
    ],
  ])('with %s answers 401', async (_, parts) => {
    expect((await send(route, await parts())).status).toBe(401);
  });
});

describe.each(signedIn.filter(([, { appToken }]) => !appToken))('%s', (_, route) => {
  test.each([
    ['an access token of the relay’s client', () => relayTokens.access_token, 401],
    ['an ID token of the relay’s client', () => relayTokens.id_token, 401],
    ['a token of our client without the scope', () => tokensWithoutScope.access_token, 403],
  ])('with %s is refused', async (_token, token, status) => {
    expect((await send(route, bearer(token()))).status).toBe(status);
  });
});

describe('a token of the relay’s client', () => {
  test('reads the plan', async () => {
    expect(await call(api.plan, relayTokens.access_token)).toMatchObject({
      status: 200,
      body: { plan: 'free', lastSignInAt: expect.stringMatching(/Z$/) },
    });
  });

  test('does not read it if it is an ID token', async () => {
    expect((await send(api.plan, bearer(relayTokens.id_token))).status).toBe(403);
  });

  test.each([
    ['GetUser', {}],
    ['UpdateUserAttributes', { UserAttributes: [{ Name: 'name', Value: 'Eve' }] }],
    ['DeleteUserAttributes', { UserAttributeNames: ['name'] }],
    ['GetUserAttributeVerificationCode', { AttributeName: 'email' }],
    ['VerifyUserAttribute', { AttributeName: 'email', Code: '123456' }],
    ['ChangePassword', { PreviousPassword: 'correct horse', ProposedPassword: 'battery staple' }],
    ['GlobalSignOut', {}],
    ['DeleteUser', {}],
  ])('is refused by Cognito’s %s', async (operation, request) => {
    await expect(
      world.cognito(operation, { AccessToken: relayTokens.access_token, ...request }),
    ).rejects.toThrow('Access Token does not have required scopes');
  });
});

test('a key set whose address is in a token is not fetched', async () => {
  let fetches = 0;
  const server = createServer((_, response) => {
    fetches += 1;
    response.end('{"keys":[]}');
  }).listen(0);
  await once(server, 'listening');
  const address = `http://localhost:${(server.address() as AddressInfo).port}/jwks.json`;
  const token = await forged(rsa.privateKey, { jku: address, x5u: address });
  expect((await send(api.plan, bearer(token))).status).toBe(401);
  expect(fetches).toBe(0);
  server.close();
});

describe('two Authorization headers', () => {
  const withTwo = async (first: string, second: string): Promise<string> => {
    const socket = connect(PORT, 'localhost');
    // The socket stays open, since a server may drop a half-closed connection.
    socket.write(
      [
        'GET /api/plan HTTP/1.1',
        `Host: localhost:${PORT}`,
        `Authorization: Bearer ${first}`,
        `Authorization: Bearer ${second}`,
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    );
    const chunks: Buffer[] = [];
    for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  test('are refused if the first is invalid', async () => {
    expect(await withTwo(expiredTokens.access, adasTokens.access)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('never show the plan of a user other than the authorized user', async () => {
    const own = await call(api.plan, evesTokens.access_token);
    const answer = await withTwo(evesTokens.access_token, adasTokens.access);
    expect(answer).toMatch(/^HTTP\/1\.1 (200|401) /);
    const shown = answer.startsWith('HTTP/1.1 200') ? String(own.body['createdAt']) : '401';
    expect(answer).toContain(shown);
  });
});

test.each([
  '/api//plan',
  '/api/plan/',
  '/api/plan/.',
  '/api/./plan',
  '/api/x/../plan',
  '/api/%70lan',
  '/api/plan%2f',
  '/api/plan%00',
  '/api/plan;a=b',
  '//api/plan',
  '/API/plan',
  '/api/github-oidc/../plan',
  '/api/github-oidc/..%2fplan',
  '/api/github-oidc/%2e%2e%2fplan',
  '/api/github-oidc//plan',
])('no spelling of the address bypasses the authorizer: %s', async (address) => {
  // Without `fetch`, which normalises the address.
  const request = httpRequest({ port: PORT, host: 'localhost', path: address }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).not.toContain('planExpiresAt');
  expect(response.statusCode).toBeGreaterThanOrEqual(301);
  expect(response.statusCode).toBeLessThan(500);
});

describe('a token of an ended session', () => {
  // Routes for personal data, payments and deletion ask Cognito, so they refuse a revoked token at once.
  test.each<[string, Endpoint, unknown]>([
    [
      'change-password',
      api['change-password'],
      { currentPassword: 'correct horse', newPassword: 'of a thief' },
    ],
    ['change-email', api['change-email'], { newEmail: 'thief@evil.example' }],
    ['confirm-email', api['confirm-email'], { code: '123456' }],
    ['export', api.export, {}],
    ['delete-account', api['delete-account'], {}],
    ['billing', api.billing, {}],
    ['billing-portal', api['billing-portal'], { page: 'card' }],
    ['cancel-subscription', api['cancel-subscription'], { subscription_id: null }],
    ['renew-subscription', api['renew-subscription'], {}],
  ])('is refused by %s', async (_, route, body) => {
    const account = await createAccount(world);
    const { access } = await tokensOf(world, account);
    await world.cognito('GlobalSignOut', { AccessToken: access });
    expect(await call(route, access, body)).toMatchObject({ status: 401, body: { code: 'not-signed-in' } });
    await expect(tokensOf(world, account)).resolves.toBeDefined();
  });
});

describe('a token that is signed with the pool’s key', () => {
  const scope = 'aws.cognito.signin.user.admin';
  let authorizer: JwtAuthorizer;
  let issuer: string;
  const server = createServer((_, response) => {
    void exportJWK(rsa.publicKey).then((jwk) =>
      response.end(JSON.stringify({ keys: [{ ...jwk, kid: 'k', alg: 'RS256' }] })),
    );
  });
  beforeAll(async () => {
    server.listen(0);
    await once(server, 'listening');
    issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    authorizer = new JwtAuthorizer({ issuer, audience: ['site'], clock: new Clock() });
  });
  afterAll(() => void server.close());

  const now = () => Math.floor(Date.now() / 1000);
  const statusOf = async (claims: Record<string, unknown>) => {
    const token = await new SignJWT({
      iss: issuer,
      client_id: 'site',
      token_use: 'access',
      scope,
      iat: now(),
      exp: now() + 900,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .sign(rsa.privateKey);
    const verdict = await authorizer.judge(`Bearer ${token}`, [scope]);
    return verdict.kind === 'refused' ? verdict.status : 200;
  };

  test('is accepted if it is valid', async () => {
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ scope: `openid ${scope}` })).toBe(200);
  });

  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
  test.each<[string, () => Record<string, unknown>, number]>([
    ['that never expires', () => ({ exp: undefined }), 401],
    ['that has expired', () => ({ exp: now() - 1 }), 401],
    ['that isn’t valid yet', () => ({ nbf: now() + 600 }), 401],
    ['that was issued in the future', () => ({ iat: now() + 86_400, exp: now() + 90_000 }), 401],
    ['for another audience', () => ({ aud: 'theirs' }), 401],
    ['without a client', () => ({ client_id: undefined }), 401],
    ['with a scope that begins with ours', () => ({ scope: `${scope}.read` }), 403],
    ['with a scope that ends with ours', () => ({ scope: `not.${scope}` }), 403],
    ['with our scope in other capitals', () => ({ scope: scope.toUpperCase() }), 403],
    ['with our scope among commas', () => ({ scope: `openid,${scope}` }), 403],
    ['without a scope', () => ({ scope: undefined }), 403],
  ])('is refused: a token %s', async (_, claims, status) => {
    expect(await statusOf(claims())).toBe(status);
  });
});

describe('the OpenID Connect provider for GitHub', () => {
  const at = (step: string): string => `${world.origin}/api/github-oidc/${step}`;
  const callback = () => `${config.signInOrigin}/oauth2/idpresponse`;
  const authorizeAddress = (more: Record<string, string> = {}): string =>
    `${at('authorize')}?${new URLSearchParams({
      client_id: 'cognito',
      redirect_uri: callback(),
      response_type: 'code',
      scope: 'openid',
      state: 's',
      ...more,
    }).toString()}`;
  /** A code as Cognito gets it. */
  const codeFor = async (user: NewUser): Promise<string> => {
    const arrived = await cookieClient().arrive(authorizeAddress(), user, callback());
    return arrived.searchParams.get('code') ?? '';
  };
  const redeem = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: callback(),
      ...form,
    });
    const response = await fetch(at('token'), { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['no secret', { client_id: 'cognito' }, {}],
    ['an empty secret', { client_id: 'cognito', client_secret: '' }, {}],
    ['a guessed secret', { client_id: 'cognito', client_secret: 'guessed' }, {}],
    ['GitHub’s own secret', { client_id: 'cognito', client_secret: 'local-github' }, {}],
    ['no client id', { client_secret: 'guessed' }, {}],
    ['an empty Basic header', { client_id: 'cognito' }, { authorization: 'Basic ' }],
    ['a guessed Basic header', {}, { authorization: `Basic ${btoa('cognito:guessed')}` }],
    ['a malformed Basic header', {}, { authorization: 'Basic cognito:guessed' }],
  ])('does not redeem a code for %s', async (_, form, headers) => {
    const code = await codeFor(newUser());
    const answer = await redeem({ code, ...form }, headers);
    expect(answer).toMatchObject({ status: 401 });
    expect(answer.text).toContain('invalid_client');
    expect(answer.text).not.toContain(code);
  });

  test('refuses tokens of other issuers at userinfo', async () => {
    const code = await codeFor(newUser());
    for (const token of [
      adasTokens.access,
      adasTokens.id,
      evesTokens.access_token,
      evesTokens.refresh_token,
      relayTokens.access_token,
      relayTokens.id_token,
      code,
      '',
    ]) {
      const response = await fetch(at('userinfo'), { headers: { authorization: `Bearer ${token}` } });
      expect([response.status, await response.json()]).toEqual([
        401,
        { error: 'invalid_token', error_description: expect.any(String) },
      ]);
    }
  });

  test('redirects only to Cognito', async () => {
    for (const address of [
      authorizeAddress({ redirect_uri: 'https://evil.example/' }),
      authorizeAddress({ redirect_uri: `${callback()}/../evil` }),
      authorizeAddress({ redirect_uri: `${callback()}?x=1` }),
      authorizeAddress({ redirect_uri: callback().toUpperCase() }),
      `${authorizeAddress()}&redirect_uri=https://evil.example/`,
      `${authorizeAddress()}&state=another`,
      authorizeAddress({ client_id: 'evil' }),
      authorizeAddress({ state: 'x'.repeat(5_000) }),
      `${at('callback')}?code=stolen&state=guessed`,
      `${at('callback')}?error=access_denied&state=guessed`,
    ]) {
      const response = await fetch(address, { redirect: 'manual' });
      expect([address, response.status, response.headers.get('location')]).toEqual([address, 400, null]);
    }
  });

  test('has one method for each path and no other paths', async () => {
    const answers = await Promise.all(
      ['authorize', 'callback', 'token', 'userinfo', 'jwks'].flatMap((step) =>
        ['HEAD', 'OPTIONS', 'PUT', 'DELETE', step === 'token' ? 'GET' : 'POST'].map(async (method) => {
          const response = await fetch(at(step), { method, redirect: 'manual' });
          return `${method} ${step} ${response.status} ${response.headers.get('access-control-allow-origin')}`;
        }),
      ),
    );
    expect(answers.filter((answer) => !answer.endsWith(' 405 null'))).toEqual([]);
    for (const step of [
      '',
      'openid',
      '.well-known/openid-configuration',
      'token/',
      '__proto__',
      'constructor',
    ]) {
      expect((await fetch(at(step))).status).toBe(404);
    }
  });

  test('publishes no private key', async () => {
    const { keys } = (await (await fetch(at('jwks'))).json()) as { keys: Record<string, unknown>[] };
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
  });
});

describe('a code', () => {
  /** The code in the link of the newest mail. */
  const resetCodeOf = async ({ email }: Account): Promise<string> => {
    const { links } = await world.mailTo(email);
    const link = links.find((address) => address.includes('/reset-password'));
    return new URL(String(link)).searchParams.get('access_token') ?? '';
  };

  test('of a provider’s sign-in is redeemed once', async () => {
    const { redeem } = await answerOf(world, { provider: 'Google', user: newUser() });
    expect((await redeem()).status).toBe(200);
    expect((await redeem()).status).toBe(400);
  });

  test('that resets a password does so once, even for concurrent requests', async () => {
    const victim = await createAccount(world);
    const ClientId = config.userPoolClientId;
    const reset = (ConfirmationCode: string, Password: string) =>
      world.cognito('ConfirmForgotPassword', { ClientId, Username: victim.id, ConfirmationCode, Password });
    const requestCode = async () => {
      await world.cognito('ForgotPassword', { ClientId, Username: victim.email });
      return resetCodeOf(victim);
    };
    const old = await requestCode();
    const code = await requestCode();
    await expect(reset(old, 'of the attacker')).rejects.toThrow('CodeMismatch');
    const outcomes = await Promise.allSettled([reset(code, 'the first one'), reset(code, 'the other one')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(reset(code, 'of the attacker')).rejects.toThrow(/ExpiredCode|CodeMismatch/);
    await expect(tokensOf(world, { ...victim, password: 'of the attacker' })).rejects.toThrow(
      'Incorrect username or password',
    );
  });

  test('that resets a password does not reset another user’s password', async () => {
    const mallory = await createAccount(world);
    const ClientId = config.userPoolClientId;
    await world.cognito('ForgotPassword', { ClientId, Username: mallory.email });
    await world.cognito('ForgotPassword', { ClientId, Username: ada.email });
    const ConfirmationCode = await resetCodeOf(mallory);
    await expect(
      world.cognito('ConfirmForgotPassword', {
        ClientId,
        Username: ada.email,
        ConfirmationCode,
        Password: 'of the attacker',
      }),
    ).rejects.toThrow('CodeMismatch');
  });
});

describe('another user’s address', () => {
  const subOf = ({ id_token }: HostedTokens): unknown => decodeJwt(id_token).sub;
  const signUp = (email: string, attributes: Record<string, string> = {}) =>
    world.cognito<{ UserSub: string }>('SignUp', {
      ClientId: config.userPoolClientId,
      Username: email,
      Password: 'of the attacker',
      UserAttributes: Object.entries({ email, ...attributes }).map(([Name, Value]) => ({ Name, Value })),
    });
  const attackers = (email: string, id: string): Account => ({
    name: '',
    email,
    password: 'of the attacker',
    id,
  });

  test('that an attacker signed up is the owner’s again with a sign-in by Google', async () => {
    const victim = newUser('Victim');
    const { UserSub } = await signUp(victim.email.toUpperCase());
    const mail = await world.mailTo(victim.email.toUpperCase()).catch(() => world.mailTo(victim.email));
    const byGoogle = await signInBy(world, { provider: 'Google', user: victim });
    expect(subOf(byGoogle)).not.toBe(UserSub);
    await call(api.plan, byGoogle.access_token);

    // The sign-in has deleted the attacker's account, so that one address never has two.
    const confirmation = world.cognito('ConfirmSignUp', {
      ClientId: config.userPoolClientId,
      Username: victim.email,
      ConfirmationCode: codeIn(mail.text),
    });
    await expect(confirmation).rejects.toThrow('CodeMismatch');
    await expect(tokensOf(world, attackers(victim.email, UserSub))).rejects.toThrow(
      'Incorrect username or password',
    );

    // Every later sign-in of the owner, by any provider and in any case, is to the same account.
    expect(subOf(await signInBy(world, { provider: 'Google', user: victim }))).toBe(subOf(byGoogle));
    const inUpperCase = { ...victim, email: victim.email.toUpperCase() };
    expect(subOf(await signInBy(world, { provider: 'GitHub', user: inUpperCase }))).toBe(subOf(byGoogle));
  });

  test('that a provider has not verified gives no access, in any case', async () => {
    for (const provider of ['Google', 'GitHub'] as const) {
      for (const email of [ada.email, ada.email.toUpperCase()]) {
        const user = { name: 'Ada', email, verified: false };
        const { answer } = await answerOf(world, { provider, user });
        expect([answer.has('code'), answer.has('error')]).toEqual([false, true]);
      }
    }
    const { providers } = (await call(api.export, adasTokens.access)).body['account'] as {
      providers: unknown[];
    };
    expect(providers).toEqual([]);
  });

  test('that is similar belongs to another account', async () => {
    const [name, host] = ada.email.split('@');
    for (const email of [`${name}+x@${host}`, `${name}@${host}.evil.example`, `x${name}@${host}`]) {
      expect(subOf(await signInBy(world, { provider: 'Google', user: { name: 'Eve', email } }))).not.toBe(
        ada.id,
      );
    }
  });

  test('cannot be written into an account, and no provider is linked by it', async () => {
    const victim = newUser('Victim');
    const mallory = await createAccount(world);
    const { access } = await tokensOf(world, mallory);
    for (const UserAttributes of [
      [{ Name: 'email', Value: victim.email }],
      [{ Name: 'email_verified', Value: 'true' }],
      [{ Name: 'identities', Value: '[]' }],
      [{ Name: 'sub', Value: ada.id }],
    ]) {
      // Some are refused, others have no effect.
      await world
        .cognito('UpdateUserAttributes', { AccessToken: access, UserAttributes })
        .catch(() => undefined);
    }
    expect((await call(api.export, access)).body['account']).toMatchObject({
      id: mallory.id,
      email: mallory.email,
      providers: [],
    });
    expect(
      await call(api['create-checkout-session'], access, {
        planName: 'plus',
        userId: mallory.id,
        userEmail: victim.email,
      }),
    ).toMatchObject({ status: 403, body: { code: 'not-yours' } });
    expect(subOf(await signInBy(world, { provider: 'Google', user: victim }))).not.toBe(mallory.id);
  });

  test('in the attributes of a sign-up with another address can be confirmed only by its owner', async () => {
    const victim = newUser('Victim');
    const own = newUser('Mallory');
    const made = await signUp(own.email, { email: victim.email }).catch(() => undefined);
    await expect(world.mailTo(own.email)).rejects.toThrow('has got no mail');
    const byGoogle = await signInBy(world, { provider: 'Google', user: victim });
    expect(subOf(byGoogle)).not.toBe(made?.UserSub);
  });

  test('of a provider’s account cannot be signed up with a password, in any case', async () => {
    await expect(signUp(eve.email)).rejects.toThrow('already exists');
    await expect(signUp(eve.email.toUpperCase())).rejects.toThrow('already exists');
  });
});

describe('a stolen access token', () => {
  const refused = 'CustomMessage failed with error The email address of an account cannot be changed';
  const mailCount = async (email: string): Promise<number> =>
    (await world.get<Message[]>('/__local/mail')).filter(({ to }) => to === email).length;

  test('cannot change the account’s address, so a reset does not take the account over', async () => {
    const victim = await createAccount(world);
    const AccessToken = (await tokensOf(world, victim)).access;
    const ClientId = config.userPoolClientId;
    const thiefsAddress = newUser('Thief').email;
    const UserAttributes = [{ Name: 'email', Value: thiefsAddress }];
    const before = await mailCount(victim.email);

    // Every call that makes Cognito send a code for an attribute, or writes an attribute without a code.
    await expect(world.cognito('UpdateUserAttributes', { AccessToken, UserAttributes })).rejects.toThrow(
      refused,
    );
    const AttributeName = 'email';
    await expect(
      world.cognito('GetUserAttributeVerificationCode', { AccessToken, AttributeName }),
    ).rejects.toThrow(refused);
    for (const Username of [thiefsAddress, victim.email, victim.id]) {
      await world.cognito('ResendConfirmationCode', { ClientId, Username }).catch(() => undefined);
    }
    const asAdministrator = { UserPoolId: config.userPoolId, Username: victim.id, UserAttributes };
    await expect(world.cognito('AdminUpdateUserAttributes', asAdministrator)).rejects.toThrow(
      'MissingAuthenticationToken',
    );
    expect(await mailCount(thiefsAddress)).toBe(0);
    expect(await mailCount(victim.email)).toBe(before);

    // A code for another purpose doesn't help: the thief signs up with the address and gets a real code.
    await world.cognito('SignUp', {
      ClientId,
      Username: thiefsAddress,
      Password: 'of a thief',
      UserAttributes,
    });
    const Code = codeIn((await world.mailTo(thiefsAddress)).text);
    await expect(world.cognito('VerifyUserAttribute', { AccessToken, AttributeName, Code })).rejects.toThrow(
      /ExpiredCode|CodeMismatch/,
    );
    await world.cognito('ForgotPassword', { ClientId, Username: thiefsAddress });
    expect((await world.mailTo(thiefsAddress)).text).not.toContain(victim.id);
    await expect(
      tokensOf(world, { ...victim, email: thiefsAddress, password: 'of a thief' }),
    ).rejects.toThrow('not confirmed');

    const { access } = await tokensOf(world, victim);
    expect((await call(api.export, access)).body['account']).toMatchObject({
      id: victim.id,
      email: victim.email,
      email_verified: true,
    });
  });

  test('gets no code from a change by an administrator, which takes effect only with a verified address', async () => {
    const victim = await createAccount(world);
    const thiefsAddress = newUser('Thief').email;
    const administrator = new CognitoIdentityProviderClient({
      region: 'us-east-1',
      endpoint: config.userPoolEndpoint,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    });
    const write = (...UserAttributes: { Name: string; Value: string }[]) =>
      administrator.send(
        new AdminUpdateUserAttributesCommand({
          UserPoolId: config.userPoolId,
          Username: victim.id,
          UserAttributes,
        }),
      );
    await expect(write({ Name: 'email', Value: thiefsAddress })).rejects.toThrow(refused);
    expect(await mailCount(thiefsAddress)).toBe(0);
    await expect(tokensOf(world, victim)).resolves.toBeDefined();
    const moved = newUser('Victim').email;
    await write({ Name: 'email', Value: moved }, { Name: 'email_verified', Value: 'true' });
    expect(await mailCount(moved)).toBe(0);
    await expect(tokensOf(world, { ...victim, email: moved })).resolves.toBeDefined();
    administrator.destroy();
  });
});

test('sign-in and password reset do not reveal who has an account', async () => {
  const ClientId = config.userPoolClientId;
  const unconfirmed = newUser().email;
  await world.cognito('SignUp', { ClientId, Username: unconfirmed, Password: 'correct horse' });
  const masked = (text: string) => text.replace(/"Destination":"[^"]*"/, '"Destination":"…"');
  const responsesFor = async (email: string) => ({
    forgot: masked(
      JSON.stringify(await world.cognito('ForgotPassword', { ClientId, Username: email }).catch(String)),
    ),
    wrong: await tokensOf(world, { name: '', id: '', email, password: 'wrong horse' }).then(
      () => 'signed in',
      (error: Error) => `${error.name}: ${error.message}`,
    ),
  });
  const unknown = await responsesFor(newUser().email);
  const account = await createAccount(world);
  for (const email of [account.email, eve.email, unconfirmed])
    expect(await responsesFor(email)).toEqual(unknown);
});

test('a name with markup is stored unchanged and is in no mail', async () => {
  const name = `<img src=x onerror="alert(1)">{{7*7}}' {####} \u202E</title><script>alert(1)</script>`;
  const email = newUser().email;
  const ClientId = config.userPoolClientId;
  const Password = 'correct horse';
  const browser = browserThatSignsUp();
  const { UserSub: id } = await world.cognito<{ UserSub: string }>('SignUp', {
    ClientId,
    Username: email,
    Password,
    UserAttributes: [{ Name: 'email', Value: email }, { Name: 'name', Value: name }, browser.attribute],
  });
  const mail = await world.mailTo(email);
  expect(mail.html + mail.text + mail.subject).not.toMatch(/onerror|alert|7\*7|\{####\}/);
  const ConfirmationCode = codeIn(mail.text);
  const ClientMetadata = browser.metadata;
  await world.cognito('ConfirmSignUp', { ClientId, Username: email, ConfirmationCode, ClientMetadata });
  const { access } = await tokensOf(world, { id, name, email, password: Password });
  const response = await fetch(`${world.origin}/api/export`, {
    headers: { authorization: `Bearer ${access}` },
  });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await response.json()).toMatchObject({ account: { name } });
});

test('no function has answered 500 or logged a token, an address or a password during these tests', () => {
  const log = world.output.join('\n');
  expect(log).not.toMatch(/\b(code=internal|request-failed)\b/);
  // The log does contain the refusals.
  expect(log).toContain('not-signed-in');
  expect(log).not.toMatch(/eyJ[\w-]{8,}/);
  expect(log).not.toMatch(/[\w.+-]+@[\w-]+\.\w+/);
  for (const secret of [
    ada.password,
    'of the attacker',
    'of a thief',
    evesTokens.refresh_token,
    relayTokens.refresh_token,
  ]) {
    expect(log).not.toContain(secret);
  }
});
