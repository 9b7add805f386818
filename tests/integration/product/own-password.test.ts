import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ownPassword, type OwnPassword } from '../../../functions/adapters/cognito/own-password.ts';
import { cognitoUserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import {
  clientId,
  type CognitoStandIn,
  password,
  passwordFlows,
  poolId,
  refusalOf,
  startCognito,
} from '../../fixtures/worlds/cognito-stand-in.ts';

const proposed = 'battery staple';
let cognito: CognitoStandIn;
let own: OwnPassword;
let address: string;
let sub: string;
let count = 0;

// One for all tests: the adapter keeps its client.
beforeAll(async () => {
  cognito = await startCognito({ client: { ExplicitAuthFlows: passwordFlows } });
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', cognito.origin);
  own = ownPassword({ USER_POOL_ID: poolId, PASSWORD_CLIENT_ID: clientId });
});
afterAll(async () => {
  await cognito.stop();
  vi.unstubAllEnvs();
});
beforeEach(async () => {
  address = `ada.${(count += 1)}@example.com`;
  await cognito.confirmedUser(address);
  sub = (await cognitoUserPool(poolId).find(address))?.sub ?? '';
});

const signsIn = async (secret: string) => (await cognito.signInRaw(address, secret)).error === undefined;

test('a password is changed with the current password', async () => {
  await own.change(sub, { current: password, proposed });
  expect([await signsIn(password), await signsIn(proposed)]).toEqual([false, true]);
});

test.each([
  ['wrong-password', { current: 'something else', proposed }],
  ['wrong-password', { current: ' spaces around ', proposed }],
  ['weak-password', { current: password, proposed: 'short' }],
  ['weak-password', { current: password, proposed: ' battery staple' }],
  ['weak-password', { current: password, proposed: 'battery staple ' }],
  ['weak-password', { current: password, proposed: 'battery\nstaple' }],
])('a change is refused as %s (%o)', async (code, passwords) => {
  expect(await refusalOf(own.change(sub, passwords))).toBe(code);
  expect(await signsIn(password)).toBe(true);
});

test('an account that only a provider opens has no password to change', async () => {
  const ofProvider = '0b5d3a1e-1111-4222-8333-444455556666';
  expect(await refusalOf(own.change(ofProvider, { current: password, proposed }))).toBe('no-password');
});

test('guessing the current password is stopped after five tries', async () => {
  const answers: unknown[] = [];
  for (let tries = 0; tries < 6; tries += 1) {
    answers.push(await refusalOf(own.change(sub, { current: 'a guess', proposed })));
  }
  expect(answers).toEqual([...Array.from({ length: 5 }, () => 'wrong-password'), 'too-many-tries']);
});
