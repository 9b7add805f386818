import { afterEach, describe, expect, test } from 'vitest';
import { type CognitoStandIn, password, startCognito } from '../fixtures/cognito.ts';

const email = 'ada@example.com';
const email_required = { Name: 'email', Required: true, Mutable: true };

let world: CognitoStandIn;
afterEach(() => world.stop());

const start = async (options: Parameters<typeof startCognito>[0] = {}) => {
  world = await startCognito(options);
  await world.confirmedUser(email);
};
const tokenOf = async (secret = password) =>
  String((await world.signInRaw(email, secret)).body.AuthenticationResult?.AccessToken);
const update = async (attributes: Record<string, string>) =>
  world.call('UpdateUserAttributes', {
    AccessToken: await tokenOf(),
    UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
  });
describe('a user', () => {
  test('can not empty an attribute that the pool requires', async () => {
    await start();
    expect(await update({ email: '' })).toMatchObject({
      error: 'InvalidParameterException',
      message: 'user.email: Required attribute cannot be deleted.',
    });
  });
});

describe('the pool’s schema', () => {
  test('keeps an immutable attribute as it was at sign-up, for users and administrators', async () => {
    await start({ pool: { Schema: [email_required, { Name: 'browser', Mutable: false }] } });
    const refused = {
      error: 'InvalidParameterException',
      message: 'user.browser: Attribute cannot be updated.',
    };
    expect(await update({ 'custom:browser': 'x' })).toMatchObject(refused);
    const UserAttributes = [{ Name: 'custom:browser', Value: 'x' }];
    const changed = world.signed('AdminUpdateUserAttributes', { Username: email, UserAttributes });
    expect(await changed).toMatchObject(refused);
  });
});
