import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { Stripe } from 'stripe';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { billingOver } from '../../../../functions/adapters/stripe/stripe-billing.ts';
import { handledEventTypes } from '../../../../functions/domain/handled-event-types.ts';
import { markOf } from '../../../../functions/domain/mark.ts';
import { handler as receiveEvent } from '../../../../functions/webhooks/stripe-webhook.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { STAGE } from '../../../fixtures/fakes/stage.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const SECRET = 'whsec_local';
const EVENT = JSON.stringify({ id: 'evt_1', object: 'event', type: 'product.created', data: { object: {} } });
const now = (): number => Math.floor(Date.now() / 1000);
const hmac = (at: number | string, body: string): string =>
  createHmac('sha256', SECRET).update(`${at}.${body}`).digest('hex');
const accepted = { status: 200, body: { received: true } };
const refused = { status: 400, body: { code: 'bad-signature' } };
const failed = { status: 500, body: { code: 'internal' } };

watchLog();
const ada = adaOnFree();
let stripe: Stripe;
beforeEach(() => void (stripe = new Stripe('sk_test_local')));

const deliver = (
  headers: Record<string, string>,
  rawBody = EVENT,
  connection = async () => ({ stripe, webhookSecret: SECRET }),
) => call(receiveEvent.with({ ...ada, billing: billingOver(connection, 'test') }), { headers, rawBody });
const sign = (header: string) => ({ 'stripe-signature': header });

test.each([
  ['alone', () => `t=${now()},v1=${hmac(now(), EVENT)}`],
  ['beside a signature of another scheme', () => `t=${now()},v0=ff,v1=${hmac(now(), EVENT)}`],
  ['beside one of the secret before it', () => `t=${now()},v1=${'0'.repeat(64)},v1=${hmac(now(), EVENT)}`],
  ['beside malformed signatures', () => `t=${now()},v1=,v1,v1=zz,v1=${hmac(now(), EVENT)}`],
])('a good signature %s is accepted', async (_, header) => {
  expect(await deliver(sign(header()))).toEqual(accepted);
});

const at = now();
const good = hmac(at, EVENT);
const malformed = [
  '',
  't=1,v1=',
  't=1,v1=,v1=',
  't=,v1=',
  `t=,v1=${good}`,
  `t,v1=${good}`,
  `v1=${good}`,
  'v1=abc',
  't=NaN,v1=zz',
  `t=NaN,v1=${good}`,
  `t=-1,v1=${good}`,
  `t=1e10,v1=${good}`,
  `t=${'9'.repeat(400)},v1=${good}`,
  `t=${at},v0=${good}`,
  `t=${at},v1=${good.slice(0, 63)}`,
  `t=${at},v1=${good}0`,
  `t=${at},v1=${good.slice(1)},v1=${good.slice(2)},v1=${good}${good}`,
  `t=${at},v1=${'g'.repeat(64)}`,
  `t=${at},v1=${'é'.repeat(64)}`,
  `t=${at},v1=${'\u{1F511}'.repeat(32)}`,
  `t=${at},v1=${'\0'.repeat(64)}`,
  `t=${at},v1=${'0'.repeat(64)}`,
  `t=${at},t=1,v1=${good}`,
  `t=${at - 600},v1=${hmac(at - 600, EVENT)}`,
  '__proto__=1',
  '__proto__=1,t=1,v1=',
  'constructor=1,toString=1',
  `t=${at},__proto__=${good}`,
  'x'.repeat(100_000),
  `t=1,${'v1=,'.repeat(25_000)}`,
  `t=1,${`v1=${'0'.repeat(64)},`.repeat(1_500)}`,
];

test.each(malformed.map((header) => [JSON.stringify(header.slice(0, 40)), header.length, header] as const))(
  'the header %s of %i characters is refused',
  async (_, __, header) => {
    expect(await deliver(sign(header))).toMatchObject(refused);
  },
);

test('a request without the header is refused', async () => {
  expect(await deliver({})).toMatchObject(refused);
});

test.each([
  ['an empty body', ''],
  ['a body that is not JSON', 'paid'],
  ['the JSON null', 'null'],
])('%s is refused, signed or not', async (_, body) => {
  expect(await deliver(sign('t=1,v1='), body)).toMatchObject(refused);
  expect(await deliver(sign(`t=${at},v1=${hmac(at, body)}`), body)).toMatchObject(refused);
});

test('an unsigned event of Stripe’s second API is refused', async () => {
  const body = JSON.stringify({ object: 'v2.core.event', type: 'v1.billing.meter.no_meter_found' });
  expect(await deliver(sign('t=1,v1='), body)).toMatchObject(refused);
  expect(await deliver(sign(`t=${at},v1=${hmac(at, body)}`), body)).toEqual(accepted);
});

test('every random header is answered with the refusal', async () => {
  const word = fc.constantFrom('t', 'v1', 'v0', '=', ',', ' ', '1', good, String(at), '__proto__', 'é', '\0');
  const header = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(word, { maxLength: 12 }).map((words) => words.join('')),
    fc
      .array(fc.tuple(fc.constantFrom('t', 'v1', 'v0', '__proto__'), fc.string()), { maxLength: 6 })
      .map((items) => items.map((item) => item.join('=')).join(',')),
  );
  await fc.assert(
    fc.asyncProperty(header, fc.string({ unit: 'binary' }), async (value, body) => {
      expect(await deliver(sign(value), body)).toMatchObject(refused);
    }),
    // The headers above have the known shapes.
    { numRuns: 500 },
  );
});

test('no signed event is answered with a failure, or makes a row, whatever it holds', async () => {
  const id = fc.oneof(
    fc.constantFrom('cus_ada', 'ada', 'cus_stranger', '__proto__', 'constructor', '../x', '..'),
    // Halves of surrogate pairs too.
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
    fc.string({ minLength: 250, maxLength: 400 }),
  );
  const metadata = fc.option(
    fc.oneof(
      fc.record({ user_id: id }, { requiredKeys: [] }),
      id.map((named) => markOf(STAGE, named)),
    ),
  );
  const object = fc.record(
    {
      object: fc.oneof(fc.constantFrom('customer', 'invoice', 'subscription', 'refund'), fc.string()),
      id: fc.option(id),
      customer: fc.option(fc.oneof(id, fc.record({ id }))),
      metadata,
      parent: fc.option(fc.record({ subscription_details: fc.option(fc.record({ metadata })) })),
    },
    { requiredKeys: ['object'] },
  );
  const product = adaOnFree();
  const { billing } = product;
  const connection = async () => ({ stripe, webhookSecret: SECRET });
  const signed = billingOver(connection, STAGE);
  vi.spyOn(billing, 'verifyEvent').mockImplementation((...delivery) => signed.verifyEvent(...delivery));
  const ownerOf = billing.ownerOf.bind(billing);
  vi.spyOn(billing, 'ownerOf').mockImplementation(async (customerId) => {
    // Stripe's library can't make an address from such an id, nor from half of a surrogate pair.
    if (encodeURIComponent(customerId).includes('..')) throw new Error('Stripe: invalid path');
    return ownerOf(customerId);
  });
  const type = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...handledEventTypes) }, fc.string());
  const event = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ type, object }).map((of) => ({
        id: 'evt_1',
        object: 'event',
        type: of.type,
        created: at,
        data: { object: of.object },
      })),
    },
    { weight: 1, arbitrary: fc.object().filter((value) => !('object' in value)) },
  );
  await fc.assert(
    fc.asyncProperty(event, async (sent) => {
      const rawBody = JSON.stringify(sent);
      const headers = sign(`t=${at},v1=${hmac(at, rawBody)}`);
      expect(await call(receiveEvent.with(product), { rawBody, headers })).toEqual(accepted);
    }),
    { numRuns: 2_000 },
  );
  expect([...product.planTable.rows.values()]).toMatchObject([{ id: 'ada', plan: 'free' }]);
});

describe('a failure of our own is a 500', () => {
  const header = () => sign(`t=${now()},v1=${hmac(now(), EVENT)}`);

  test('if Stripe’s library fails', async () => {
    vi.spyOn(stripe.webhooks, 'constructEvent').mockImplementation(() => {
      throw new TypeError('A bug.');
    });
    expect(await deliver(header())).toMatchObject(failed);
  });

  test('if the keys cannot be read', async () => {
    const connection = async () => Promise.reject(new Error('No keys.'));
    expect(await deliver(header(), EVENT, connection)).toMatchObject(failed);
  });
});
