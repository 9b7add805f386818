import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cognitoSessionUser, type SessionUser } from '../../../functions/adapters/cognito/session-user.ts';
import {
  type CognitoStandIn,
  refusalOf,
  startCognito,
  startHostedCognito,
} from '../../fixtures/worlds/cognito-stand-in.ts';

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
  const hosted = await startHostedCognito();
  cleanUps.push(() => hosted.stop());
  process.env['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'] = hosted.origin;
  hosted.provider.account = { sub: '1234', email: 'Ada@Example.com', email_verified: true };
  const { tokens } = await hosted.signIn();
  expect(await cognitoSessionUser().profile(tokens.access_token)).toEqual({
    username: 'google_1234',
    email: address,
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
