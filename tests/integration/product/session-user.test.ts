import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cognitoSessionUser, type SessionUser } from '../../../functions/adapters/cognito/session-user.ts';
import { type CognitoStandIn, startCognito } from '../../fixtures/worlds/cognito-stand-in.ts';

const address = 'ada@example.com';
const cleanUps: (() => unknown)[] = [];
let cognito: CognitoStandIn;
let sessionUser: SessionUser;

beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  cognito = await startCognito();
  cleanUps.push(() => cognito.stop());
  process.env['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'] = cognito.origin;
  sessionUser = cognitoSessionUser();
});

afterEach(async () => {
  for (const close of cleanUps.splice(0).toReversed()) await close();
});

/** The code of a refusal, read from its field, since the adapter's module may be loaded twice. */
const refusalOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );

const signedIn = async (email = address): Promise<string> => {
  await cognito.confirmedUser(email);
  return String((await cognito.signInRaw(email)).body.AuthenticationResult.AccessToken);
};

test('a profile has the user’s attributes and whether a password is set', async () => {
  expect(await sessionUser.profile(await signedIn())).toEqual({
    username: expect.stringMatching(/^[\da-f-]{36}$/),
    email: address,
    emailVerified: true,
    name: 'Ada',
    providers: [],
    hasPassword: true,
  });
});

test('a user who signs in only by a provider has no password', async () => {
  const answers: Record<string, [number, object]> = {
    GetUser: [
      200,
      {
        Username: 'google_1234',
        UserAttributes: [
          { Name: 'sub', Value: '0b5d3a1e-1111-4222-8333-444455556666' },
          { Name: 'email', Value: 'Ada@Example.com' },
          { Name: 'email_verified', Value: 'true' },
          {
            Name: 'identities',
            Value: JSON.stringify([{ providerName: 'Google', userId: '1234', primary: 'true' }]),
          },
        ],
      },
    ],
  };
  const pool = createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const [status, body] = answers[operation] ?? [500, {}];
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(pool, 'listening');
  cleanUps.push(() => pool.close());
  const { port } = pool.address() as AddressInfo;
  process.env['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'] = `http://127.0.0.1:${port}`;
  const providerUser = cognitoSessionUser();

  expect(await providerUser.profile('token')).toEqual({
    username: 'google_1234',
    email: 'ada@example.com',
    emailVerified: true,
    name: undefined,
    providers: ['google'],
    hasPassword: false,
  });
});

test('a deleted user’s token is refused', async () => {
  const token = await signedIn();
  await cognito.call('DeleteUser', { AccessToken: token });
  expect(await refusalOf(sessionUser.profile(token))).toBe('not-signed-in');
});
