import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Connection } from '../../../../../functions/adapters/stripe/connection.ts';
import { keepSecret, type KeptSecret } from '../../../../../functions/adapters/stripe/kept-secret.ts';
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
let secret: KeptSecret;

beforeEach(async () => {
  stored = { secretKey: 'sk_old', webhookSecret: 'whsec_old' };
  time = Date.UTC(2026, 0, 20);
  read.mockReset().mockImplementation(async () => stored);
  secret = await keepSecret(read, () => time);
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

  test('is read once for calls at the same time, and all of them wait for it', async () => {
    const readAgain = secret.rereader();
    stored = { ...stored, secretKey: 'sk_new' };
    const seen = await Promise.all([1, 2, 3].map(() => readAgain().then(() => secret.current.secretKey)));
    expect(seen).toEqual(['sk_new', 'sk_new', 'sk_new']);
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('stays if it cannot be read, and that is logged', async () => {
    const readAgain = secret.rereader();
    read.mockRejectedValueOnce(new Error('Secrets Manager is out of reach.'));
    await readAgain();
    expect(secret.current).toEqual({ secretKey: 'sk_old', webhookSecret: 'whsec_old' });
    expect(log.errors.at(-1)).toMatchObject({
      event: 'stripe-secret-not-read',
      error: 'Error: Secrets Manager is out of reach.',
    });
  });

  test('is read for each purpose on its own', async () => {
    const [one, other] = [secret.rereader(), secret.rereader()];
    await one();
    await other();
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('goes by the time of day', async () => {
    vi.useFakeTimers({ now: 0, toFake: ['Date'] });
    const readAgain = (await keepSecret(read)).rereader();
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

  test('is sent once while its key is accepted', async () => {
    await client().customers.retrieve('cus_1');
    expect(keys()).toEqual(['Bearer sk_old']);
    expect(read).not.toHaveBeenCalled();
  });

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

  test('fails as before if the stored key is the refused one, and the secret is read once a minute', async () => {
    const stripe = client();
    accepted.clear();
    for (let count = 0; count < 3; count += 1) {
      await expect(stripe.customers.retrieve('cus_1')).rejects.toThrow('Invalid API Key provided');
    }
    expect(keys()).toHaveLength(3);
    expect(read).toHaveBeenCalledTimes(1);
    time += MINUTE;
    accepted.add('Bearer sk_new');
    stored = { ...stored, secretKey: 'sk_new' };
    expect(await stripe.customers.retrieve('cus_1')).toMatchObject({ id: 'cus_1' });
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('fails if the new key is refused too', async () => {
    stored = { ...stored, secretKey: 'sk_wrong' };
    accepted.clear();
    await expect(client().customers.retrieve('cus_1')).rejects.toThrow('Invalid API Key provided');
    expect(keys()).toEqual(['Bearer sk_old', 'Bearer sk_wrong']);
  });

  test('fails with Stripe’s refusal if the secret cannot be read', async () => {
    accepted.clear();
    read.mockRejectedValue(new Error('Secrets Manager is out of reach.'));
    await expect(client().customers.retrieve('cus_1')).rejects.toThrow('Invalid API Key provided');
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

describe('a webhook’s signature', () => {
  const body = Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', type: 'invoice.paid' }));
  const header = (...secrets: string[]): string => {
    const at = Math.floor(Date.now() / 1000);
    const signatures = secrets.map((each) =>
      createHmac('sha256', each).update(`${at}.${body.toString()}`).digest('hex'),
    );
    return [`t=${at}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
  };
  const stripe = new Stripe('sk_test');
  let connection: Connection;
  const verify = (...secrets: string[]) =>
    billingOver(async () => connection, 'test').verifyEvent(body, header(...secrets));

  beforeEach(() => {
    connection = {
      stripe,
      get webhookSecret() {
        return secret.current.webhookSecret;
      },
      readWebhookSecretAgain: secret.rereader(),
    };
  });

  test('with the kept secret is accepted, and nothing is read', async () => {
    expect(await verify('whsec_old')).toMatchObject({ id: 'evt_1' });
    expect(read).not.toHaveBeenCalled();
  });

  test('with either of two kept secrets is accepted', async () => {
    connection = { stripe, webhookSecret: ['whsec_new', 'whsec_old'] };
    expect(await verify('whsec_old')).toMatchObject({ id: 'evt_1' });
    expect(await verify('whsec_new')).toMatchObject({ id: 'evt_1' });
    expect(await verify('whsec_other')).toBeUndefined();
  });

  test('of Stripe during a rotation, with both secrets, is accepted by each of them', async () => {
    for (const webhookSecret of ['whsec_old', 'whsec_new']) {
      connection = { stripe, webhookSecret };
      expect(await verify('whsec_new', 'whsec_old')).toMatchObject({ id: 'evt_1' });
    }
  });

  test('with a secret that was stored since is accepted after one reading', async () => {
    stored = { ...stored, webhookSecret: ['whsec_new', 'whsec_old'] };
    expect(await verify('whsec_new')).toMatchObject({ id: 'evt_1' });
    expect(await verify('whsec_new')).toMatchObject({ id: 'evt_1' });
    expect(await verify('whsec_old')).toMatchObject({ id: 'evt_1' });
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('that is forged is refused, and a thousand of them read the secret once a minute', async () => {
    for (let count = 0; count < 1_000; count += 1) expect(await verify('whsec_forged')).toBeUndefined();
    expect(read).toHaveBeenCalledTimes(1);
    time += MINUTE;
    expect(await verify('whsec_forged')).toBeUndefined();
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('that is malformed never leads to a reading', async () => {
    for (const malformed of ['', 't=1,v1=', 't=1', 'v1=abc', `t=1,v0=${'0'.repeat(64)}`]) {
      expect(await billingOver(async () => connection, 'test').verifyEvent(body, malformed)).toBeUndefined();
    }
    expect(read).not.toHaveBeenCalled();
  });

  test('is refused if the secret cannot be read', async () => {
    read.mockRejectedValue(new Error('Secrets Manager is out of reach.'));
    expect(await verify('whsec_new')).toBeUndefined();
  });
});
