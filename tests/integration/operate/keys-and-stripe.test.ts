import { isOurs } from '../../../functions/domain/mark.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createPrices } from '../../../infra/operate/deploy/prices.ts';
import { storeKeys } from '../../../infra/operate/deploy/secrets.ts';
import { setUpStripe } from '../../../infra/operate/deploy/set-up-stripe.ts';
import { targetOf } from '../../../infra/operate/deploy/target.ts';
import type { VendorKey } from '../../../infra/operate/deploy/vendor-keys.ts';
import { StripeSecret } from '../../../schemas/config/stripe-secret.ts';
import { readyAccount, readyKeys, readyStage, secretsIn } from '../../fixtures/aws/ready-account.ts';
import { useAws } from '../../fixtures/aws/use-aws.ts';
import { startStripe, type StripeStandIn } from '../../fixtures/worlds/stripe-stand-in.ts';

const URL_OF_WEBHOOK = 'https://www.selfsame.test/api/stripe/webhook';
const STRIPE = 'selfsame/production/stripe';
const target = { ...targetOf('production', readyStage), resolves: async () => false };

const aws = useAws();
let stripe: StripeStandIn;
let keys: Record<string, object>;
beforeEach(async () => {
  keys = readyKeys('production');
  Object.assign(aws.answers, readyAccount(keys, 'https://www.selfsame.test'));
  stripe = await startStripe();
  vi.stubEnv('STRIPE_API', stripe.origin);
  return () => stripe.close();
});

const prices = async () =>
  (await stripe.stripe.prices.list()).data.filter(({ metadata }) => isOurs(metadata, 'production'));
const endpoints = async () => (await stripe.stripe.webhookEndpoints.list()).data;

describe('setting up Stripe', () => {
  const setUp = async (url = URL_OF_WEBHOOK): Promise<string> => {
    const lines: string[] = [];
    await createPrices(target, (line) => lines.push(line));
    await setUpStripe(target, url, (line) => lines.push(line));
    return lines.join('\n');
  };

  test('makes endpoint, price and customer portal, and stores the endpoint’s secret without saying it', async () => {
    const said = await setUp();
    const [endpoint, ...others] = await endpoints();
    expect(others).toEqual([]);
    expect(endpoint).toMatchObject({ url: URL_OF_WEBHOOK, api_version: '2026-10-28.endive' });
    expect(endpoint?.enabled_events).toContain('customer.subscription.updated');
    const { webhookSecret } = StripeSecret.parse(keys[STRIPE]);
    expect(webhookSecret).toMatch(/^whsec_/);
    expect(said).not.toContain(String(webhookSecret));
    expect(await prices()).toHaveLength(1);
    expect((await stripe.stripe.billingPortal.configurations.list()).data).toHaveLength(1);
  });

  test('changes nothing when it is repeated', async () => {
    await setUp();
    const before = [await endpoints(), structuredClone(keys)];
    expect(await setUp()).toContain('is up to date');
    expect([await endpoints(), keys]).toEqual(before);
    expect(await prices()).toHaveLength(1);
  });

  test('moves the endpoint to a new address, and keeps its secret', async () => {
    await setUp('https://d1.cloudfront.net/api/stripe/webhook');
    const before = structuredClone(keys);
    await setUp();
    expect(await endpoints()).toMatchObject([{ url: URL_OF_WEBHOOK }]);
    expect(keys).toEqual(before);
  });

  test('switches a disabled endpoint on again', async () => {
    await setUp();
    const [endpoint] = await endpoints();
    await stripe.stripe.webhookEndpoints.update(endpoint?.id ?? '', { disabled: true });
    expect(await setUp()).toContain('since it is disabled');
    expect(await endpoints()).toMatchObject([{ status: 'enabled' }]);
  });

  test('replaces an endpoint whose secret was never stored, and takes both secrets of a replaced one', async () => {
    await setUp();
    const { webhookSecret: earlier } = StripeSecret.parse(keys[STRIPE]);
    const [before] = await endpoints();
    // A crash after the creation, or an endpoint that was made by hand.
    keys[STRIPE] = { ...keys[STRIPE], webhookEndpoint: 'we_unknown' };
    await setUp();
    const [after, ...others] = await endpoints();
    expect(others).toEqual([]);
    expect(after?.id).not.toBe(before?.id);
    expect(StripeSecret.parse(keys[STRIPE]).webhookSecret).toEqual([
      expect.stringMatching(/^whsec_/),
      earlier,
    ]);
  });

  test('keeps a replaced endpoint for the three days in which Stripe tries again', async () => {
    const { webhookEndpoints } = stripe.stripe;
    await setUp();
    for (const { id } of await endpoints()) await webhookEndpoints.del(id);
    // An endpoint without a version has the account's.
    const earlier = await webhookEndpoints.create({ url: URL_OF_WEBHOOK, enabled_events: ['invoice.paid'] });
    keys[STRIPE] = { ...keys[STRIPE], webhookEndpoint: earlier.id, webhookSecret: earlier.secret };
    expect(await setUp()).toContain(`kept the webhook endpoint ${earlier.id} too`);
    expect(await endpoints()).toHaveLength(2);
    expect(StripeSecret.parse(keys[STRIPE]).webhookSecret).toContain(earlier.secret);
    expect(await setUp()).toContain(`kept the webhook endpoint ${earlier.id} too`);
    const days = (ago: number) => Math.floor(Date.now() / 1000) - ago * 86_400;
    await webhookEndpoints.update(earlier.id, { metadata: { replaced: days(4) } });
    await setUp();
    expect((await endpoints()).map(({ id }) => id)).not.toContain(earlier.id);
  });

  test('registers the site’s domain for wallets, and switches it on again', async () => {
    const domains = () => stripe.stripe.paymentMethodDomains.list();
    expect(await setUp()).toContain('Stripe: www.selfsame.test is registered for wallets');
    const [domain] = (await domains()).data;
    expect(domain).toMatchObject({ domain_name: 'www.selfsame.test', enabled: true });
    await stripe.stripe.paymentMethodDomains.update(domain?.id ?? '', { enabled: false });
    await setUp();
    expect((await domains()).data).toMatchObject([{ id: domain?.id, enabled: true }]);
  });

  test('has a domain that Stripe could not reach looked at again, and says which wallets it lacks', async () => {
    const said = await setUp('https://www.selfsame.invalid/api/stripe/webhook');
    expect(said).toContain('is registered for wallets; Apple Pay is inactive, since Stripe says');
  });

  test('gives an existing customer portal today’s parameters', async () => {
    const { configurations } = stripe.stripe.billingPortal;
    await setUp();
    const [page] = (await configurations.list()).data;
    await configurations.update(page?.id ?? '', { features: { invoice_history: { enabled: true } } });
    await setUp();
    expect((await configurations.list()).data).toMatchObject([
      {
        id: page?.id,
        features: {
          customer_update: { enabled: true },
          invoice_history: { enabled: false },
          payment_method_update: { enabled: true },
        },
      },
    ]);
  });

  test('leaves endpoints of others alone', async () => {
    const other = { url: 'https://other.test/hook', enabled_events: ['invoice.paid' as const] };
    await stripe.stripe.webhookEndpoints.create(other);
    await setUp();
    expect(await endpoints()).toHaveLength(2);
  });
});

describe('storing keys', () => {
  const store = (values: Partial<Record<string, string>>) =>
    storeKeys(
      target,
      async ({ vendor, field }: VendorKey) => values[`${vendor}.${field}`] ?? '',
      () => {},
    );

  test('creates what is missing, and keeps what is not given', async () => {
    delete keys['selfsame/production/google'];
    await store({ 'google.clientId': '2.apps.googleusercontent.com', 'google.clientSecret': 'new' });
    expect(keys['selfsame/production/google']).toEqual({
      clientId: '2.apps.googleusercontent.com',
      clientSecret: 'new',
    });
    expect(keys['selfsame/production/github']).toEqual({ clientId: '1', clientSecret: 'h' });
  });

  test('keeps the webhook secret when Stripe’s key is rotated', async () => {
    keys[STRIPE] = { secretKey: 'sk_test_local', webhookSecret: 'whsec_1', webhookEndpoint: 'we_1' };
    await store({ 'stripe.secretKey': 'sk_test_new' });
    expect(keys[STRIPE]).toEqual({
      secretKey: 'sk_test_new',
      webhookSecret: 'whsec_1',
      webhookEndpoint: 'we_1',
    });
  });

  test('takes back a secret that was deleted and is still kept', async () => {
    Object.assign(aws.answers, secretsIn(keys, new Set([STRIPE])));
    await store({ 'stripe.secretKey': 'sk_test_new' });
    expect(keys[STRIPE]).toEqual({ secretKey: 'sk_test_new' });
  });

  test('refuses a key of the other mode, and stores nothing', async () => {
    await expect(store({ 'stripe.secretKey': 'sk_live_1' })).rejects.toThrow('has to begin with sk_test_');
    expect(keys).toEqual(readyKeys('production'));
  });
});
