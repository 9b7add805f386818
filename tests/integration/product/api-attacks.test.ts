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
import { Clock } from '../../../infra/local/base/clock.ts';
import { JwtAuthorizer } from '../../../infra/local/aws/http-api/jwt-authorizer.ts';
import type { Message } from '../../../infra/local/base/inbox.ts';
import { api, type Endpoint } from '../../../schemas/api.ts';
import { SiteConfig } from '../../../schemas/environment.ts';
import { type Tokens, tokensOf } from '../../fixtures/access-token.ts';
import { password, poolId, startCognito } from '../../fixtures/cognito-world.ts';
import {
  answerOf,
  type HostedTokens,
  signInBy,
  type NewUser,
  newUser,
  cookieClient,
} from '../../fixtures/hosted-sign-in.ts';
import { codeIn, makeAccount, type Person } from '../../fixtures/person.ts';
import { stackOnce } from '../../fixtures/stack-once.ts';
import { World } from '../../fixtures/world.ts';

const PORT = 4_660;
const world = new World(PORT);
let config: SiteConfig;
/** Whose account the attacks are after. */
let ada: Person;
let adas: Tokens;
/** Somebody with an account of her own, who has come by a provider. */
const eve = newUser('Eve');
let eves: HostedTokens;
let relays: HostedTokens;
/** Of the site's own client, without the scope that opens the API. */
let narrow: HostedTokens;
let expired: Tokens;
let anotherPools: string;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

beforeAll(async () => {
  await stackOnce();
  await world.start();
  config = SiteConfig.parse(await world.get('/config.json'));
  ada = await makeAccount(world);
  expired = await tokensOf(world, ada);
  await world.advance('PT16M');
  adas = await tokensOf(world, ada);
  eves = await signInBy(world, { provider: 'Google', user: eve });
  narrow = await signInBy(world, { provider: 'Google', user: eve, scope: 'openid email' });
  relays = await signInBy(world, { provider: 'GitHub', user: newUser(), client: 'relay' });
  anotherPools = await tokenOfAnotherPool();
  // Eight sign-ins and a synthesis.
}, 120_000);
afterAll(() => world.stop());

/** Good in every way at a pool that isn't ours, and for a client that is called as ours is. */
async function tokenOfAnotherPool(): Promise<string> {
  const ClientId = config.userPoolClientId;
  const ExplicitAuthFlows = ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
  const theirs = await startCognito({
    declare: (service) => service.putUserPoolClient(poolId, ClientId, { ExplicitAuthFlows }),
  });
  await theirs.confirmedUser('ada@example.com');
  const { body } = await theirs.call('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    ClientId,
    AuthParameters: { USERNAME: 'ada@example.com', PASSWORD: password },
  });
  await theirs.stop();
  return body.AuthenticationResult.AccessToken as string;
}

interface Sent {
  headers?: Record<string, string>;
  query?: string;
}
interface Answer {
  status: number;
  text: string;
}

async function send(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { headers = {}, query = '' }: Sent = {},
  body = '{}',
): Promise<Answer> {
  const response = await fetch(`${world.origin}/api${path}${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

const bearer = (token: string): Sent => ({ headers: { authorization: `Bearer ${token}` } });
const call = async (route: Endpoint, token: string, body: unknown = {}) => {
  const { status, text } = await send(route, bearer(token), JSON.stringify(body));
  return { status, body: JSON.parse(text) as Record<string, unknown> };
};

/** The very claims of a good token under a header and a key of the attacker's. */
const forged = (key: KeyObject, header: Partial<JWTHeaderParameters> = {}): Promise<string> =>
  new SignJWT(decodeJwt(adas.access))
    .setProtectedHeader({ alg: 'RS256', kid: decodeProtectedHeader(adas.access).kid ?? '', ...header })
    .sign(key);

async function publishedKey(): Promise<KeyObject> {
  const response = await fetch(`${config.userPoolEndpoint}/${config.userPoolId}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: JWK[] };
  return createPublicKey({ key: { ...keys[0] }, format: 'jwk' });
}

const routes: [string, Endpoint][] = Object.entries(api);
// Whatever is added to the table is attacked too.
const signedIn = routes.filter(([, { caller }]) => caller === 'bearer');

describe.each(signedIn)('%s', (_, route) => {
  test.each<[string, () => Sent | Promise<Sent>]>([
    ['the access token of a session at the relay’s client', () => bearer(relays.access_token)],
    ['the ID token of a session at the relay’s client', () => bearer(relays.id_token)],
    ['a refresh token', () => bearer(eves.refresh_token)],
    ['another pool’s token', () => bearer(anotherPools)],
    ['a token that has expired', () => bearer(expired.access)],
    ['good claims under a key of the attacker’s', async () => bearer(await forged(rsa.privateKey))],
    [
      'good claims under a key that nobody has published',
      async () => bearer(await forged(rsa.privateKey, { kid: 'mine' })),
    ],
    [
      'a signature made with the published key as a password',
      async () => {
        const pem = (await publishedKey()).export({ format: 'pem', type: 'spki' });
        return bearer(await forged(createSecretKey(Buffer.from(pem)), { alg: 'HS256' }));
      },
    ],
    [
      'a token that brings its own key',
      async () => bearer(await forged(rsa.privateKey, { jwk: await exportJWK(rsa.publicKey) })),
    ],
    ['a good token in the query', () => ({ query: `?access_token=${adas.access}` })],
    ['a good token in a cookie', () => ({ headers: { cookie: `Authorization=Bearer ${adas.access}` } })],
    ['a good token as Basic', () => ({ headers: { authorization: `Basic ${adas.access}` } })],
    [
      'a good token after a bad one, in one header',
      () => ({ headers: { authorization: `Bearer ${relays.access_token}, Bearer ${adas.access}` } }),
    ],
    [
      'a good token before a bad one, in one header',
      () => ({ headers: { authorization: `Bearer ${adas.access}, Bearer ${relays.access_token}` } }),
    ],
    [
      'a bad token under another capital',
      () => ({ headers: { authorization: `bearer ${relays.access_token}` } }),
    ],
  ])('with %s answers 401', async (_, sent) => {
    expect((await send(route, await sent())).status).toBe(401);
  });

  test('with a token of ours that lacks the scope is forbidden', async () => {
    expect((await send(route, bearer(narrow.access_token))).status).toBe(403);
  });
});

test('a key that a token says where to fetch is not fetched', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end('{"keys":[]}');
  }).listen(0);
  await once(server, 'listening');
  const address = `http://localhost:${(server.address() as AddressInfo).port}/jwks.json`;
  const token = await forged(rsa.privateKey, { jku: address, x5u: address });
  expect((await send(api.plan, bearer(token))).status).toBe(401);
  expect(asked).toBe(0);
  server.close();
});

describe('two Authorization headers', () => {
  const withTwo = async (first: string, second: string): Promise<string> => {
    const socket = connect(PORT, 'localhost');
    // Left open at this end: a server may take a half-closed connection for one that was given up.
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

  test('whose first is bad are refused', async () => {
    expect(await withTwo(relays.access_token, adas.access)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('are never two people: who is let in is whose plan is shown', async () => {
    const own = await call(api.plan, eves.access_token);
    const answer = await withTwo(eves.access_token, adas.access);
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
])('no writing of an address leads past the authorizer: %s', async (address) => {
  // Not by `fetch`, which tidies an address before it sends it.
  const request = httpRequest({ port: PORT, host: 'localhost', path: address }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).not.toContain('planExpiresAt');
  expect(response.statusCode).toBeGreaterThanOrEqual(301);
  expect(response.statusCode).toBeLessThan(500);
});

describe('a session that was ended', () => {
  // What takes something away, tells much or costs money asks the pool, and doesn't wait for the token's last
  // minute.
  test.each<[string, Endpoint, unknown]>([
    [
      'change-password',
      api['change-password'],
      { currentPassword: 'correct horse', newPassword: 'of a thief' },
    ],
    ['export', api.export, {}],
    ['delete-account', api['delete-account'], {}],
    ['billing', api.billing, {}],
    ['update-card', api['update-card'], {}],
    ['cancel-subscription', api['cancel-subscription'], { subscription_id: null }],
    ['renew-subscription', api['renew-subscription'], {}],
  ])('opens %s no more', async (_, route, body) => {
    const person = await makeAccount(world);
    const { access } = await tokensOf(world, person);
    await world.cognito('GlobalSignOut', { AccessToken: access });
    expect(await call(route, access, body)).toMatchObject({ status: 401, body: { code: 'not-signed-in' } });
    await expect(tokensOf(world, person)).resolves.toBeDefined();
  });
});

describe('what only somebody with the pool’s key could sign', () => {
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
  const judged = async (claims: Record<string, unknown>) => {
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

  test('is let in where nothing is wrong with it', async () => {
    expect(await judged({})).toBe(200);
    expect(await judged({ scope: `openid ${scope}` })).toBe(200);
  });

  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
  test.each<[string, () => Record<string, unknown>, number]>([
    ['that never expires', () => ({ exp: undefined }), 401],
    ['that has expired', () => ({ exp: now() - 1 }), 401],
    ['that isn’t good yet', () => ({ nbf: now() + 600 }), 401],
    ['that is of tomorrow', () => ({ iat: now() + 86_400, exp: now() + 90_000 }), 401],
    ['for another audience', () => ({ aud: 'theirs' }), 401],
    ['for nobody', () => ({ client_id: undefined }), 401],
    ['with a scope that begins with ours', () => ({ scope: `${scope}.read` }), 403],
    ['with a scope that ends with ours', () => ({ scope: `not.${scope}` }), 403],
    ['with our scope in other capitals', () => ({ scope: scope.toUpperCase() }), 403],
    ['with our scope among commas', () => ({ scope: `openid,${scope}` }), 403],
    ['without a scope', () => ({ scope: undefined }), 403],
  ])('and yet is refused: a token %s', async (_, claims, status) => {
    expect(await judged(claims())).toBe(status);
  });
});

describe('the OpenID Connect provider for GitHub', () => {
  const at = (step: string): string => `${world.origin}/api/github-oidc/${step}`;
  const callback = () => `${config.signInOrigin}/oauth2/idpresponse`;
  const begin = (more: Record<string, string> = {}): string =>
    `${at('authorize')}?${new URLSearchParams({
      client_id: 'cognito',
      redirect_uri: callback(),
      response_type: 'code',
      scope: 'openid',
      state: 's',
      ...more,
    }).toString()}`;
  /** A code as Cognito would get it. */
  const codeFor = async (who: NewUser): Promise<string> => {
    const arrived = await cookieClient().arrive(begin(), who, callback());
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
    ['no name', { client_secret: 'guessed' }, {}],
    ['nothing as Basic', { client_id: 'cognito' }, { authorization: 'Basic ' }],
    ['a guess as Basic', {}, { authorization: `Basic ${btoa('cognito:guessed')}` }],
    ['what is no Basic', {}, { authorization: 'Basic cognito:guessed' }],
  ])('redeems nobody’s code for who shows %s', async (_, form, headers) => {
    const code = await codeFor(newUser());
    const answer = await redeem({ code, ...form }, headers);
    expect(answer).toMatchObject({ status: 401 });
    expect(answer.text).toContain('invalid_client');
    expect(answer.text).not.toContain(code);
  });

  test('tells nobody anything for a token that is good elsewhere', async () => {
    const code = await codeFor(newUser());
    for (const token of [
      adas.access,
      adas.id,
      eves.access_token,
      eves.refresh_token,
      relays.access_token,
      relays.id_token,
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

  test('sends people to Cognito and to nobody else', async () => {
    for (const address of [
      begin({ redirect_uri: 'https://evil.example/' }),
      begin({ redirect_uri: `${callback()}/../evil` }),
      begin({ redirect_uri: `${callback()}?x=1` }),
      begin({ redirect_uri: callback().toUpperCase() }),
      `${begin()}&redirect_uri=https://evil.example/`,
      `${begin()}&state=another`,
      begin({ client_id: 'evil' }),
      begin({ state: 'x'.repeat(5_000) }),
      `${at('callback')}?code=stolen&state=guessed`,
      `${at('callback')}?error=access_denied&state=guessed`,
    ]) {
      const response = await fetch(address, { redirect: 'manual' });
      expect([address, response.status, response.headers.get('location')]).toEqual([address, 400, null]);
    }
  });

  test('is asked in one way for each thing, and has nothing else', async () => {
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

  test('tells in no key what signs', async () => {
    const { keys } = (await (await fetch(at('jwks'))).json()) as { keys: Record<string, unknown>[] };
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
  });
});

describe('a code', () => {
  /** As it stands in the newest mail's link. */
  const resetCodeOf = async ({ email }: Person): Promise<string> => {
    const { links } = await world.mailTo(email);
    const link = links.find((address) => address.includes('/reset-password'));
    return new URL(String(link)).searchParams.get('access_token') ?? '';
  };

  test('of a provider’s sign-in buys tokens once', async () => {
    const { redeem } = await answerOf(world, { provider: 'Google', user: newUser() });
    expect((await redeem()).status).toBe(200);
    expect((await redeem()).status).toBe(400);
  });

  test('that resets a password does so once, though two come with it at once', async () => {
    const victim = await makeAccount(world);
    const ClientId = config.userPoolClientId;
    const reset = (ConfirmationCode: string, Password: string) =>
      world.cognito('ConfirmForgotPassword', { ClientId, Username: victim.id, ConfirmationCode, Password });
    const ask = async () => {
      await world.cognito('ForgotPassword', { ClientId, Username: victim.email });
      return resetCodeOf(victim);
    };
    const old = await ask();
    const code = await ask();
    await expect(reset(old, 'of the attacker')).rejects.toThrow('CodeMismatch');
    const outcomes = await Promise.allSettled([reset(code, 'the first one'), reset(code, 'the other one')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(reset(code, 'of the attacker')).rejects.toThrow(/ExpiredCode|CodeMismatch/);
    await expect(tokensOf(world, { ...victim, password: 'of the attacker' })).rejects.toThrow(
      'Incorrect username or password',
    );
  });

  test('that resets one person’s password resets no other’s', async () => {
    const mallory = await makeAccount(world);
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

describe('somebody else’s address', () => {
  const subOf = ({ id_token }: HostedTokens): unknown => decodeJwt(id_token).sub;
  const signUp = (email: string, attributes: Record<string, string> = {}) =>
    world.cognito<{ UserSub: string }>('SignUp', {
      ClientId: config.userPoolClientId,
      Username: email,
      Password: 'of the attacker',
      UserAttributes: Object.entries({ email, ...attributes }).map(([Name, Value]) => ({ Name, Value })),
    });
  const attackers = (email: string, id: string): Person => ({
    name: '',
    email,
    password: 'of the attacker',
    id,
  });

  test('signed up first, and confirmed by its owner’s mistake, never leads into the owner’s account', async () => {
    const victim = newUser('Victim');
    const { UserSub } = await signUp(victim.email.toUpperCase());
    const mail = await world.mailTo(victim.email.toUpperCase()).catch(() => world.mailTo(victim.email));
    const byGoogle = await signInBy(world, { provider: 'Google', user: victim });
    expect(subOf(byGoogle)).not.toBe(UserSub);
    await call(api.plan, byGoogle.access_token);

    await world.cognito('ConfirmSignUp', {
      ClientId: config.userPoolClientId,
      Username: victim.email,
      ConfirmationCode: codeIn(mail.text),
    });
    const taken = await tokensOf(world, attackers(victim.email, UserSub));
    expect(decodeJwt(taken.id).sub).toBe(UserSub);

    // Whichever way the owner comes from now on, in whichever letters, it is the account of before.
    expect(subOf(await signInBy(world, { provider: 'Google', user: victim }))).toBe(subOf(byGoogle));
    const shouting = { ...victim, email: victim.email.toUpperCase() };
    expect(subOf(await signInBy(world, { provider: 'GitHub', user: shouting }))).toBe(subOf(byGoogle));
  });

  test('that a provider has not verified opens no account, in any capitals', async () => {
    for (const provider of ['Google', 'GitHub'] as const) {
      for (const email of [ada.email, ada.email.toUpperCase()]) {
        const who = { name: 'Ada', email, verified: false };
        const { answer } = await answerOf(world, { provider, user: who });
        expect([answer.has('code'), answer.has('error')]).toEqual([false, true]);
      }
    }
    const { providers } = (await call(api.export, adas.access)).body['account'] as { providers: unknown[] };
    expect(providers).toEqual([]);
  });

  test('that looks like hers is another’s', async () => {
    const [name, host] = ada.email.split('@');
    for (const email of [`${name}+x@${host}`, `${name}@${host}.evil.example`, `x${name}@${host}`]) {
      expect(subOf(await signInBy(world, { provider: 'Google', user: { name: 'Eve', email } }))).not.toBe(
        ada.id,
      );
    }
  });

  test('written into one’s own account isn’t one’s own, and is joined to by nobody', async () => {
    const victim = newUser('Victim');
    const mallory = await makeAccount(world);
    const { access } = await tokensOf(world, mallory);
    for (const UserAttributes of [
      [{ Name: 'email', Value: victim.email }],
      [{ Name: 'email_verified', Value: 'true' }],
      [{ Name: 'identities', Value: '[]' }],
      [{ Name: 'sub', Value: ada.id }],
    ]) {
      // What is refused is as good as what stays without effect.
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

  test('in the attributes of a sign-up under one’s own is confirmed by who reads its mail, or by nobody', async () => {
    const victim = newUser('Victim');
    const own = newUser('Mallory');
    const made = await signUp(own.email, { email: victim.email }).catch(() => undefined);
    await expect(world.mailTo(own.email)).rejects.toThrow('has got no mail');
    const byGoogle = await signInBy(world, { provider: 'Google', user: victim });
    expect(subOf(byGoogle)).not.toBe(made?.UserSub);
  });

  test('held by a provider’s account is refused a password, in whichever letters', async () => {
    await expect(signUp(eve.email)).rejects.toThrow('already exists');
    await expect(signUp(eve.email.toUpperCase())).rejects.toThrow('already exists');
  });
});

describe('a stolen access token', () => {
  const refused = 'CustomMessage failed with error The e-mail address of an account cannot be changed';
  const mailCount = async (email: string): Promise<number> =>
    (await world.get<Message[]>('/__local/mail')).filter(({ to }) => to === email).length;

  test('moves the account to no address of the thief’s, whose reset therefore takes nothing over', async () => {
    const victim = await makeAccount(world);
    const AccessToken = (await tokensOf(world, victim)).access;
    const ClientId = config.userPoolClientId;
    const thiefs = newUser('Thief').email;
    const UserAttributes = [{ Name: 'email', Value: thiefs }];
    const before = await mailCount(victim.email);

    // Every call that could make Cognito send a code for an attribute, or write the attribute without a code.
    await expect(world.cognito('UpdateUserAttributes', { AccessToken, UserAttributes })).rejects.toThrow(
      refused,
    );
    const AttributeName = 'email';
    await expect(
      world.cognito('GetUserAttributeVerificationCode', { AccessToken, AttributeName }),
    ).rejects.toThrow(refused);
    for (const Username of [thiefs, victim.email, victim.id]) {
      await world.cognito('ResendConfirmationCode', { ClientId, Username }).catch(() => undefined);
    }
    const asAdministrator = { UserPoolId: config.userPoolId, Username: victim.id, UserAttributes };
    await expect(world.cognito('AdminUpdateUserAttributes', asAdministrator)).rejects.toThrow(
      'MissingAuthenticationToken',
    );
    expect(await mailCount(thiefs)).toBe(0);
    expect(await mailCount(victim.email)).toBe(before);

    // Nor does a code for something else: the thief signs up with the address and gets one that is real.
    await world.cognito('SignUp', {
      ClientId,
      Username: thiefs,
      Password: 'of a thief',
      UserAttributes,
    });
    const Code = codeIn((await world.mailTo(thiefs)).text);
    await expect(world.cognito('VerifyUserAttribute', { AccessToken, AttributeName, Code })).rejects.toThrow(
      /ExpiredCode|CodeMismatch/,
    );
    await world.cognito('ForgotPassword', { ClientId, Username: thiefs });
    expect((await world.mailTo(thiefs)).text).not.toContain(victim.id);
    await expect(tokensOf(world, { ...victim, email: thiefs, password: 'of a thief' })).rejects.toThrow(
      'not confirmed',
    );

    const { access } = await tokensOf(world, victim);
    expect((await call(api.export, access)).body['account']).toMatchObject({
      id: victim.id,
      email: victim.email,
      email_verified: true,
    });
  });

  test('gets no code out of an administrator’s change, which takes effect only where it comes verified', async () => {
    const victim = await makeAccount(world);
    const thiefs = newUser('Thief').email;
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
    await expect(write({ Name: 'email', Value: thiefs })).rejects.toThrow(refused);
    expect(await mailCount(thiefs)).toBe(0);
    await expect(tokensOf(world, victim)).resolves.toBeDefined();
    const moved = newUser('Victim').email;
    await write({ Name: 'email', Value: moved }, { Name: 'email_verified', Value: 'true' });
    expect(await mailCount(moved)).toBe(0);
    await expect(tokensOf(world, { ...victim, email: moved })).resolves.toBeDefined();
    administrator.destroy();
  });
});

test('nobody learns at sign-in or from a reset who has an account', async () => {
  const ClientId = config.userPoolClientId;
  const unconfirmed = newUser().email;
  await world.cognito('SignUp', { ClientId, Username: unconfirmed, Password: 'correct horse' });
  const masked = (text: string) => text.replace(/"Destination":"[^"]*"/, '"Destination":"…"');
  const told = async (email: string) => ({
    forgot: masked(
      JSON.stringify(await world.cognito('ForgotPassword', { ClientId, Username: email }).catch(String)),
    ),
    wrong: await tokensOf(world, { name: '', id: '', email, password: 'wrong horse' }).then(
      () => 'let in',
      (error: Error) => `${error.name}: ${error.message}`,
    ),
  });
  const nobody = await told(newUser().email);
  const asked = await makeAccount(world);
  for (const email of [asked.email, eve.email, unconfirmed]) expect(await told(email)).toEqual(nobody);
});

test('a name full of markup is a name, and no mail repeats it', async () => {
  const name = `<img src=x onerror="alert(1)">{{7*7}}' {####} \u202E</title><script>alert(1)</script>`;
  const email = newUser().email;
  const ClientId = config.userPoolClientId;
  const Password = 'correct horse';
  const { UserSub: id } = await world.cognito<{ UserSub: string }>('SignUp', {
    ClientId,
    Username: email,
    Password,
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'name', Value: name },
    ],
  });
  const mail = await world.mailTo(email);
  expect(mail.html + mail.text + mail.subject).not.toMatch(/onerror|alert|7\*7|\{####\}/);
  await world.cognito('ConfirmSignUp', { ClientId, Username: email, ConfirmationCode: codeIn(mail.text) });
  const { access } = await tokensOf(world, { id, name, email, password: Password });
  const response = await fetch(`${world.origin}/api/export`, {
    headers: { authorization: `Bearer ${access}` },
  });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await response.json()).toMatchObject({ account: { name } });
});

test('none of all this was a bug, or left a token, an address or a password in a log', () => {
  const log = world.output.join('\n');
  expect(log).not.toContain("code: 'internal'");
  // Or it would prove nothing: the functions have written what they refused.
  expect(log).toContain('not-signed-in');
  expect(log).not.toMatch(/eyJ[\w-]{8,}/);
  expect(log).not.toMatch(/[\w.+-]+@[\w-]+\.\w+/);
  for (const secret of [
    ada.password,
    'of the attacker',
    'of a thief',
    eves.refresh_token,
    relays.refresh_token,
  ]) {
    expect(log).not.toContain(secret);
  }
});
