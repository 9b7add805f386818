import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, expect, test } from 'vitest';
import { listen, type Loopback } from '../../base/loopback.ts';
import { Secrets } from '../../aws/secrets-manager.ts';
import { Store } from '../../base/store.ts';
import { template } from '../fixtures/local-stack.ts';

let server: Loopback;
afterEach(() => server.close());

const secret = (properties: Record<string, unknown>) => ({
  Type: 'AWS::SecretsManager::Secret',
  Properties: properties,
});

async function world(store = new Store(':memory:')) {
  const secrets = new Secrets({ store, known: { stripe: { secretKey: 'sk' } } });
  const stack = template({
    BillingStripeSecret0A1B2C3D: secret({ Description: 'Keys' }),
    Named: secret({ Name: 'selfsame/staging/stripe' }),
    Random: secret({ GenerateSecretString: { PasswordLength: 20 } }),
    Object: secret({
      GenerateSecretString: { SecretStringTemplate: '{"user":"ann"}', GenerateStringKey: 'password' },
    }),
  });
  await secrets.update(stack);
  server = await listen(0, secrets.handle);
  const client = new SecretsManagerClient({
    endpoint: `http://127.0.0.1:${server.port}`,
  });
  const [stripe = '', , random = '', object = ''] = stack
    .of('AWS::SecretsManager::Secret')
    .map(({ ref }) => ref);
  const read = async (SecretId: string) =>
    (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
  return { read, stripe, random, object, store };
}

test("a secret that a person enters in AWS has this machine's value, found by its name", async () => {
  const { read, stripe } = await world();
  expect(JSON.parse(await read(stripe))).toEqual({ secretKey: 'sk' });
  expect(JSON.parse(await read('selfsame/staging/stripe'))).toEqual({ secretKey: 'sk' });
});

test('other secrets are generated as the template asks, and stay the same', async () => {
  const first = await world();
  const random = await first.read(first.random);
  expect(random).toMatch(/^[\w-]{20}$/);
  expect(JSON.parse(await first.read(first.object))).toEqual({
    user: 'ann',
    password: expect.stringMatching(/^[\w-]{32}$/) as string,
  });
  await server.close();
  const second = await world(first.store);
  expect(await second.read(second.random)).toBe(random);
});
