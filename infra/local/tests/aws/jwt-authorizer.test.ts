import { createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JwtAuthorizer } from '../../aws/http-api/jwt-authorizer.ts';
import { Clock } from '../../base/clock.ts';

const scope = 'aws.cognito.signin.user.admin';
const pool = generateKeyPairSync('rsa', { modulusLength: 2048 });
const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 });
let authorizer: JwtAuthorizer;
let issuer: string;
let foreignFetches = 0;
const server = createServer(({ url }, response) => {
  if (url === '/theirs') foreignFetches += 1;
  void exportJWK(pool.publicKey).then((jwk) =>
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
const tokenWith = (
  claims: Record<string, unknown> = {},
  header: Partial<JWTHeaderParameters> = {},
  key: KeyObject = pool.privateKey,
): Promise<string> =>
  new SignJWT({
    iss: issuer,
    client_id: 'site',
    token_use: 'access',
    scope,
    iat: now(),
    exp: now() + 900,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'k', ...header })
    .sign(key);
const statusOf = async (authorization: string): Promise<number> => {
  const verdict = await authorizer.judge(authorization, [scope]);
  return verdict.kind === 'refused' ? verdict.status : 200;
};

test('a valid token is accepted', async () => {
  expect(await statusOf(`Bearer ${await tokenWith()}`)).toBe(200);
  expect(await statusOf(`Bearer ${await tokenWith({ scope: `openid ${scope}` })}`)).toBe(200);
});

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
describe('with the pool’s signature', () => {
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
  ])('a token %s is refused', async (_, claims, status) => {
    expect(await statusOf(`Bearer ${await tokenWith(claims())}`)).toBe(status);
  });
});

test.each<[string, () => Promise<string>]>([
  ['the attacker’s key', () => tokenWith({}, {}, attacker.privateKey)],
  ['a key of an unpublished id', () => tokenWith({}, { kid: 'mine' }, attacker.privateKey)],
  [
    'the public key as secret',
    () => {
      const pem = createPublicKey(pool.privateKey).export({ format: 'pem', type: 'spki' });
      return tokenWith({}, { alg: 'HS256' }, createSecretKey(Buffer.from(pem)));
    },
  ],
  [
    'a key that it contains',
    async () => tokenWith({}, { jwk: await exportJWK(attacker.publicKey) }, attacker.privateKey),
  ],
  [
    'a key whose address it contains, which is not fetched',
    () => tokenWith({}, { jku: `${issuer}/theirs`, x5u: `${issuer}/theirs` }, attacker.privateKey),
  ],
])('a token signed with %s is refused', async (_, token) => {
  expect(await statusOf(`Bearer ${await token()}`)).toBe(401);
  expect(foreignFetches).toBe(0);
});

test('a valid token is refused under another scheme, and beside an expired one', async () => {
  const [valid, expired] = [await tokenWith(), await tokenWith({ exp: now() - 1 })];
  for (const header of [
    `Basic ${valid}`,
    `bearer ${expired}`,
    `Bearer ${expired}, Bearer ${valid}`,
    `Bearer ${valid}, Bearer ${expired}`,
  ]) {
    expect(await statusOf(header)).toBe(401);
  }
});
