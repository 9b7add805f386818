import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cognitoSessionUser, type SessionUser } from '../../../functions/adapters/cognito/session-user.ts';
import { type CognitoStandIn, password, startCognito } from '../../fixtures/worlds/cognito-stand-in.ts';

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

test('a password is changed with the current password', async () => {
  const token = await signedIn();
  await sessionUser.changePassword(token, { current: password, proposed: 'battery staple' });
  expect((await cognito.signInRaw(address)).error).toBe('NotAuthorizedException');
  expect((await cognito.signInRaw(address, 'battery staple')).error).toBeUndefined();
});

test.each([
  ['wrong-password', { current: 'something else', proposed: 'battery staple' }],
  ['wrong-password', { current: ' spaces around ', proposed: 'battery staple' }],
  ['weak-password', { current: password, proposed: 'short' }],
  ['weak-password', { current: password, proposed: ' battery staple' }],
  ['weak-password', { current: password, proposed: 'battery staple ' }],
  ['weak-password', { current: password, proposed: 'battery\nstaple' }],
])('a change is refused as %s (%o)', async (code, passwords) => {
  const token = await signedIn();
  expect(await refusalOf(sessionUser.changePassword(token, passwords))).toBe(code);
  expect((await cognito.signInRaw(address)).error).toBeUndefined();
});

test('a user who signs in only by a provider has no password to change', async () => {
  const answers: Record<string, [number, object]> = {
    // Cognito answers with a NotAuthorizedException, like for a wrong password.
    ChangePassword: [
      400,
      { __type: 'NotAuthorizedException', message: 'User is not authorized to change password.' },
    ],
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
  const change = providerUser.changePassword('token', {
    current: password,
    proposed: 'battery staple',
  });
  expect(await refusalOf(change)).toBe('no-password');
});

test('guessing the current password is stopped after five tries', async () => {
  const token = await signedIn();
  const guess = () =>
    refusalOf(sessionUser.changePassword(token, { current: 'a guess', proposed: 'battery staple' }));
  const answers: unknown[] = [];
  for (let tries = 0; tries < 6; tries += 1) answers.push(await guess());
  expect(answers).toEqual([...Array.from({ length: 5 }, () => 'wrong-password'), 'too-many-tries']);
});

test('a revoked token is refused as not signed in, not as a wrong password', async () => {
  const token = await signedIn();
  await cognito.call('GlobalSignOut', { AccessToken: token });
  const change = sessionUser.changePassword(token, { current: password, proposed: 'battery staple' });
  expect(await refusalOf(change)).toBe('not-signed-in');
});

test('a deleted user’s token is refused', async () => {
  const token = await signedIn();
  await cognito.call('DeleteUser', { AccessToken: token });
  expect(await refusalOf(sessionUser.profile(token))).toBe('not-signed-in');
  const change = sessionUser.changePassword(token, { current: password, proposed: 'battery staple' });
  expect(await refusalOf(change)).toBe('not-signed-in');
});
