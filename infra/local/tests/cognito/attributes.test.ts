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
describe('a client with a list of writable attributes', () => {
  const client = { WriteAttributes: ['email', 'name'] };

  test.each(['picture', 'website', 'address', 'preferred_username', 'email_verified'])(
    'can not write %s',
    async (name) => {
      await start({ client });
      expect(await update({ [name]: 'true' })).toMatchObject({
        error: 'NotAuthorizedException',
        message: 'A client attempted to write unauthorized attribute',
      });
    },
  );

  test.each([
    ['lacks an attribute that the pool requires', ['name']],
    ['has one that no client may write', ['email', 'email_verified']],
    ['has the id', ['email', 'sub']],
  ])('is refused if the list %s', async (_, WriteAttributes) => {
    await start();
    await expect(startCognito({ client: { WriteAttributes } })).rejects.toThrow(
      'Invalid write attributes specified while creating a client',
    );
  });
});

describe('a user', () => {
  test('can not empty an attribute that the pool requires', async () => {
    await start();
    expect(await update({ email: '' })).toMatchObject({
      error: 'InvalidParameterException',
      message: 'user.email: Required attribute cannot be deleted.',
    });
  });

  test('changes all given attributes or none', async () => {
    await start();
    expect((await update({ name: 'Eve', email_verified: 'true' })).error).toBe('NotAuthorizedException');
    const { body } = await world.signed('AdminGetUser', { Username: email });
    expect(body.UserAttributes).toContainEqual({ Name: 'name', Value: 'Ada' });
  });
});

describe('the pool’s schema', () => {
  const limited = (constraints: Record<string, string>) => ({
    pool: { Schema: [email_required, { Name: 'name', StringAttributeConstraints: constraints }] },
  });

  test('limits the length of a standard attribute', async () => {
    await start(limited({ MinLength: '0', MaxLength: '5' }));
    expect((await update({ name: 'Grace' })).status).toBe(200);
    expect(await update({ name: 'Margot' })).toMatchObject({
      error: 'InvalidParameterException',
      message: 'Attributes did not conform to the schema: name: String must be no longer than 5 characters\n',
    });
  });

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

describe('an administrator', () => {
  test('can not give an account the address of another one', async () => {
    await start();
    await world.confirmedUser('bob@example.com');
    const UserAttributes = [
      { Name: 'email', Value: 'BOB@example.com' },
      { Name: 'email_verified', Value: 'true' },
    ];
    expect(
      await world.signed('AdminUpdateUserAttributes', { Username: email, UserAttributes }),
    ).toMatchObject({
      error: 'AliasExistsException',
    });
  });
});
