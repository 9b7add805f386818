import { Stripe } from 'stripe';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cachedSecret, type CachedSecret } from '../../../../../functions/adapters/stripe/cached-secret.ts';
import { withRotatingKey } from '../../../../../functions/adapters/stripe/rotating-key.ts';
import { billingOver } from '../../../../../functions/adapters/stripe/stripe-billing.ts';
import { StripeSecret } from '../../../../../schemas/config/stripe-secret.ts';
import { watchLog } from '../../../../fixtures/fakes/watch-log.ts';

const MINUTE = 60_000;
const log = watchLog();

/** The content of Secrets Manager. */
let stored: StripeSecret;
/** The current time in milliseconds. */
let time: number;
const read = vi.fn<() => Promise<StripeSecret>>();
let secret: CachedSecret;

beforeEach(async () => {
  stored = { secretKey: 'sk_old', webhookSecret: 'whsec_old' };
  time = Date.UTC(2026, 0, 20);
  read.mockReset().mockImplementation(async () => stored);
  secret = await cachedSecret(read, () => time);
  read.mockClear();
});

describe('the kept secret', () => {
  test('is read again at most once a minute', async () => {
    const readAgain = secret.rereader();
    await readAgain();
    time += MINUTE - 1;
    await readAgain();
    expect(read).toHaveBeenCalledTimes(1);
    time += 1;
    await readAgain();
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('stays if it cannot be read, and that is logged', async () => {
    const readAgain = secret.rereader();
    read.mockRejectedValueOnce(new Error('Secrets Manager is out of reach.'));
    await readAgain();
    expect(secret.current).toEqual({ secretKey: 'sk_old', webhookSecret: 'whsec_old' });
    const error = 'Error: Secrets Manager is out of reach.';
    expect(log.errors.at(-1)).toMatchObject({ event: 'stripe-secret-not-read', error });
  });

  test('goes by the time of day', async () => {
    vi.useFakeTimers({ now: 0, toFake: ['Date'] });
    const readAgain = (await cachedSecret(read)).rereader();
    await readAgain();
    vi.setSystemTime(MINUTE);
    await readAgain();
    expect(read).toHaveBeenCalledTimes(3);
    vi.useRealTimers();
  });

  test.each([
    ['one webhook secret', 'whsec_a', true],
    ['a list of one', ['whsec_a'], true],
    ['the two of a rotation', ['whsec_a', 'whsec_b'], true],
    ['an empty one', '', false],
    ['a space', ' ', false],
    ['one with an end of line', 'whsec_a\n', false],
    ['one behind a space', ' whsec_a', false],
    ['none', [], false],
    ['three', ['whsec_a', 'whsec_b', 'whsec_c'], false],
    ['an empty one in a list', ['whsec_a', ''], false],
    ['one with an end of line in a list', ['whsec_a\n'], false],
  ])('may have %s: %j (%s)', (_, webhookSecret, accepted) => {
    expect(StripeSecret.safeParse({ secretKey: 'sk', webhookSecret }).success).toBe(accepted);
  });
});

describe('a request to Stripe', () => {
  /** The keys that Stripe accepts. */
  let accepted: Set<string>;
  /** The authorization and the idempotency key of each request. */
  let requests: { key: string; idempotencyKey: unknown }[];

  beforeEach(() => {
    accepted = new Set(['Bearer sk_old']);
    requests = [];
  });

  const answer = (status: number, body: object): Stripe.HttpClientResponse => ({
    getStatusCode: () => status,
    getHeaders: () => ({}),
    getRawResponse: () => ({}),
    toStream: () => undefined,
    toJSON: async () => body,
  });
  const http: Stripe.HttpClient = {
    getClientName: () => 'fake',
    makeRequest: async (_host, _port, _path, _method, headers) => {
      const key = String(headers['Authorization']);
      requests.push({ key, idempotencyKey: headers['Idempotency-Key'] });
      await new Promise(setImmediate);
      return accepted.has(key)
        ? answer(200, { id: 'cus_1', object: 'customer' })
        : answer(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
    },
  };
  const client = () =>
    new Stripe('sk_old', {
      httpClient: withRotatingKey(http, secret),
      maxNetworkRetries: 2,
      telemetry: false,
    });
  const keys = () => requests.map(({ key }) => key);

  test('whose key is refused is sent again with the key that is stored now', async () => {
    const stripe = client();
    accepted = new Set(['Bearer sk_new']);
    stored = { ...stored, secretKey: 'sk_new' };
    expect(await stripe.customers.create({ email: 'ada@example.com' })).toMatchObject({ id: 'cus_1' });
    expect(keys()).toEqual(['Bearer sk_old', 'Bearer sk_new']);
    expect(new Set(requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    await stripe.customers.retrieve('cus_1');
    expect(keys().at(-1)).toBe('Bearer sk_new');
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('is not sent again if the stored key is the refused one', async () => {
    accepted.clear();
    await expect(client().customers.retrieve('cus_1')).rejects.toThrow('Invalid API Key provided');
    expect(keys()).toEqual(['Bearer sk_old']);
    expect(log.of('stripe-key-refused')).toMatchObject([{ status: 401 }]);
  });

  test('fails if the new key is refused too', async () => {
    stored = { ...stored, secretKey: 'sk_wrong' };
    accepted.clear();
    await expect(client().customers.retrieve('cus_1')).rejects.toThrow('Invalid API Key provided');
    expect(keys()).toEqual(['Bearer sk_old', 'Bearer sk_wrong']);
  });

  test('beside seven others is repeated with them after one reading', async () => {
    const stripe = client();
    accepted = new Set(['Bearer sk_new']);
    stored = { ...stored, secretKey: 'sk_new' };
    await Promise.all(Array.from({ length: 8 }, () => stripe.customers.retrieve('cus_1')));
    expect(keys().filter((key) => key === 'Bearer sk_new')).toHaveLength(8);
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('that is refused late finds the new key without another reading', async () => {
    const stripe = client();
    accepted = new Set(['Bearer sk_new']);
    const late = stripe.customers.retrieve('cus_1');
    await secret.rereader()();
    stored = { ...stored, secretKey: 'sk_new' };
    await secret.rereader()();
    read.mockClear();
    await late;
    expect(read).not.toHaveBeenCalled();
  });
});

test('a malformed signature of a webhook leads to no reading, and a wrong one is refused if nothing can be read', async () => {
  const { webhookSecret } = secret.current;
  const readWebhookSecretAgain = secret.rereader();
  const connection = { stripe: new Stripe('sk_test'), webhookSecret, readWebhookSecretAgain };
  const verify = (header: string) =>
    billingOver(async () => connection, 'test').verifyEvent(Buffer.from('{}'), header);
  for (const malformed of ['', 't=1,v1=', 't=1', 'v1=abc', `t=1,v0=${'0'.repeat(64)}`]) {
    expect(await verify(malformed)).toBeUndefined();
  }
  expect(read).not.toHaveBeenCalled();
  read.mockRejectedValue(new Error('Secrets Manager is out of reach.'));
  expect(await verify(`t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`)).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(1);
});
