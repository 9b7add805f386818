import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Billing, stripeBilling } from '../../../functions/adapters/stripe/stripe-billing.ts';
import { Secrets } from '../../../infra/local/aws/secrets-manager.ts';
import { Clock } from '../../../infra/local/base/clock.ts';
import { listen, type Loopback } from '../../../infra/local/base/loopback.ts';
import { Store } from '../../../infra/local/base/store.ts';
import { readTemplate } from '../../../infra/local/start-world.ts';
import { StripeService } from '../../../infra/local/vendors/stripe/service.ts';
import type { StripeSecret } from '../../../schemas/config/stripe-secret.ts';

const store = new Store(':memory:');
const clock = new Clock();
let secrets: Secrets;
let secretsServer: Loopback;
let stripe: StripeService;
let stripeServer: Loopback;
/** How often the secret was read. */
let readings: number;
/** A process that has read its secret, and has made a customer. */
let billing: Billing;
let customer: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'local');
  secrets = new Secrets({ store, known: {} });
  readings = 0;
  secretsServer = await listen(0, (request, response) => {
    readings += 1;
    secrets.handle(request, response);
  });
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${secretsServer.port}`);
  stripeServer = await listen(0, (request, response) => stripe.handle(request, response));
  acceptKey('sk_test_old');
  await storeSecret({ secretKey: 'sk_test_old', webhookSecret: 'whsec_old' });
  billing = stripeBilling({
    STRIPE_API: `http://127.0.0.1:${stripeServer.port}`,
    STRIPE_SECRET_ID: 'stripe',
    STAGE: 'test',
  });
  customer = await billing.createCustomer({ userId: 'ada', email: 'ada@example.com' });
});

afterEach(async () => {
  await Promise.all([secretsServer.close(), stripeServer.close()]);
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** Stripe accepts this key from now on, and no other. */
function acceptKey(secretKey: string): void {
  const webhook = { url: 'http://127.0.0.1:1', secret: 'whsec_old' };
  stripe = new StripeService({ clock, store, origin: 'http://stripe.local', secretKey, webhook });
}

/** Stores the secret as `put-secret-value` does. */
const storeSecret = (value: StripeSecret): Promise<void> =>
  secrets.update(
    readTemplate({
      Resources: {
        Stripe: {
          Type: 'AWS::SecretsManager::Secret',
          Properties: { Name: 'stripe', SecretString: JSON.stringify(value) },
        },
      },
    }),
  );

/** Whether an event with signatures of these secrets is accepted. */
async function accepts(...signedWith: string[]): Promise<boolean> {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'invoice.paid' });
  const at = Math.floor(Date.now() / 1000);
  const signatures = signedWith.map((secret) =>
    createHmac('sha256', secret).update(`${at}.${body}`).digest('hex'),
  );
  const header = [`t=${at}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
  return (await billing.verifyEvent(Buffer.from(body), header)) !== undefined;
}

test('a running process goes on with the new key once the old key is deleted', async () => {
  await storeSecret({ secretKey: 'sk_test_new', webhookSecret: 'whsec_old' });
  expect(await billing.ownerOf(customer)).toMatchObject({ userId: 'ada' });
  expect(readings).toBe(1);
  acceptKey('sk_test_new');
  expect(await billing.ownerOf(customer)).toMatchObject({ userId: 'ada' });
  expect(await billing.subscriptionsOf(customer, { id: 'ada', plan: 'free', version: 1 })).toEqual([]);
  expect(readings).toBe(2);
});

test('while a webhook secret is rotated, no event is refused, whether Stripe or we change first', async () => {
  expect(await accepts('whsec_old')).toBe(true);
  // Stripe signs with both secrets until the old one expires.
  expect(await accepts('whsec_new', 'whsec_old')).toBe(true);
  await storeSecret({ secretKey: 'sk_test_old', webhookSecret: ['whsec_new', 'whsec_old'] });
  expect(await accepts('whsec_new', 'whsec_old')).toBe(true);
  expect(readings).toBe(1);
  expect(await accepts('whsec_new')).toBe(true);
  expect(await accepts('whsec_old')).toBe(true);
  expect(readings).toBe(2);
  await storeSecret({ secretKey: 'sk_test_old', webhookSecret: 'whsec_new' });
  expect(await accepts('whsec_new')).toBe(true);
  expect(readings).toBe(2);
});

test('a flood of forged events reads the secret once a minute, and holds back no new key', async () => {
  for (let count = 0; count < 50; count += 1) expect(await accepts('whsec_forged')).toBe(false);
  expect(readings).toBe(2);
  await storeSecret({ secretKey: 'sk_test_new', webhookSecret: 'whsec_old' });
  acceptKey('sk_test_new');
  expect(await billing.ownerOf(customer)).toMatchObject({ userId: 'ada' });
  expect(readings).toBe(3);
});
