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

test('the user of a token is known by the proved address', async () => {
  expect(await sessionUser.account(await signedIn())).toEqual({ address });
});

test('the user of a provider’s account is also known by the provider', async () => {
  const hosted = await startHostedCognito();
  cleanUps.push(() => hosted.stop());
  process.env['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'] = hosted.origin;
  hosted.provider.account = { sub: '1234', email: 'Ada@Example.com', email_verified: true };
  const { tokens } = await hosted.signIn();
  const known = await cognitoSessionUser().account(tokens.access_token);
  expect(known).toEqual({ address, made_by: 'google' });
});

test('a deleted user’s token is refused', async () => {
  const token = await signedIn();
  await cognito.call('DeleteUser', { AccessToken: token });
  expect(await refusalOf(sessionUser.account(token))).toBe('not-signed-in');
});
