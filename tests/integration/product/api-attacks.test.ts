import {
  AdminUpdateUserAttributesCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../infra/local/base/inbox.ts';
import { api } from '../../../schemas/api.ts';
import type { Endpoint } from '../../../schemas/routes/endpoint.ts';
import { SiteConfig } from '../../../schemas/config/site-config.ts';
import { type Tokens, tokensOf } from '../../fixtures/worlds/access-token.ts';
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
  // Eight sign-ins and a synthesis.
}, 120_000);
afterAll(() => world.stop());

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

const routes: [string, Endpoint][] = Object.entries(api);
// New routes are tested without further edits.
const signedIn = routes.filter(([, { caller }]) => caller === 'bearer');

describe.each(signedIn)('%s', (_, route) => {
  test.each<[string, () => RequestParts]>([
    ['a refresh token', () => bearer(evesTokens.refresh_token)],
    ['a token that has expired', () => bearer(expiredTokens.access)],
    ['a valid token in the query', () => ({ query: `?access_token=${adasTokens.access}` })],
    [
      'a valid token in a cookie',
      () => ({ headers: { cookie: `Authorization=Bearer ${adasTokens.access}` } }),
    ],
  ])('with %s answers 401', async (_token, parts) => {
    expect((await send(route, parts())).status).toBe(401);
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

test('the OpenID Connect provider for GitHub refuses tokens of other issuers', async () => {
  for (const token of [
    adasTokens.access,
    adasTokens.id,
    evesTokens.access_token,
    evesTokens.refresh_token,
    relayTokens.access_token,
    relayTokens.id_token,
    '',
  ]) {
    const response = await fetch(`${world.origin}/api/github-oidc/userinfo`, bearer(token));
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'invalid_token', error_description: expect.any(String) },
    ]);
  }
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
    expect(await mailCount(thiefsAddress)).toBe(0);
    expect(await mailCount(victim.email)).toBe(before);

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
  expect(log).toContain('not-yours');
  expect(log).not.toMatch(/eyJ[\w-]{8,}/);
  expect(log).not.toMatch(/[\w.+-]+@[\w-]+\.\w+/);
  for (const secret of [
    ada.password,
    'of the attacker',
    evesTokens.refresh_token,
    relayTokens.refresh_token,
  ]) {
    expect(log).not.toContain(secret);
  }
});
