import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WireCheck } from '../../wire/wire-check.ts';
import { readMessages, shapeOf, type WireMessage } from '../../wire/wire-message.ts';
import { recordWire } from '../../wire/wire-recorder.ts';

let wire: WireCheck;
beforeAll(() => {
  wire = new WireCheck();
});

const caller = { test: 'tests/integration/some.test.ts' };
const message = (kind: WireMessage['kind'], method: string, address: string, content: object) =>
  ({ kind, ...caller, method, path: address, ...content }) as WireMessage;
const response = (method: string, address: string, body: unknown) =>
  message('response', method, address, { body });
const request = (method: string, address: string, form: string) =>
  message('request', method, address, { form });
const event = (body: unknown) => message('event', 'POST', 'webhook', { body });
const error = (body: unknown) => message('error', 'POST', '/v1/refunds', { body });

const refund = {
  id: 're_1',
  object: 'refund',
  amount: 500,
  balance_transaction: 'txn_1',
  charge: 'ch_1',
  created: 1_900_000_000,
  currency: 'usd',
  customer: 'cus_1',
  customer_account: null,
  metadata: { why: 'duplicate' },
  payment_intent: 'pi_1',
  payment_method: 'pm_1',
  reason: 'duplicate',
  receipt_number: null,
  source_transfer_reversal: null,
  status: 'succeeded',
  transfer_reversal: null,
};
const deletedCustomer = { id: 'cus_1', object: 'customer', deleted: true };
const refundUpdated = {
  id: 'evt_1',
  object: 'event',
  api_version: '2026-10-28.endive',
  created: 1_900_000_000,
  data: { object: refund, previous_attributes: { status: 'pending', metadata: { gone: null } } },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: 'refund.updated',
};

describe('an answer', () => {
  const check = (body: unknown) => wire.check(response('POST', '/v1/refunds', body));

  test.each<[string, Record<string, unknown>, string]>([
    ['a number in words', { amount: '500' }, '$.amount'],
    ['null where Stripe has none', { currency: null }, '$.currency'],
    ['a word that no enum has', { reason: 'regret' }, '$.reason'],
    ['a field of another version', { receipt: 'x' }, '$.receipt'],
    ['metadata that isn’t text', { metadata: { why: 1 } }, '$.metadata.*'],
    ['another object’s name', { object: 'charge' }, '$.object'],
  ])('with %s is found', (_, change, at) => {
    expect(check({ ...refund, ...change })).toMatchObject([{ at }]);
  });

  test('without a required field is found', () => {
    const { amount: _, ...rest } = refund;
    expect(check(rest)).toEqual([{ at: '$.amount', expected: 'number', actual: 'missing' }]);
  });

  test('may have a reference as an id or expanded, and the expanded object is checked', () => {
    const expanded = { ...refund, transfer_reversal: 'trr_1', customer: deletedCustomer };
    expect(check(expanded)).toEqual([]);
    expect(check({ ...refund, customer: { ...deletedCustomer, deleted: 'yes' } })).not.toEqual([]);
    expect(check({ ...refund, customer: { ...deletedCustomer, name: 'Ada' } })).toEqual([
      { at: '$.customer.name', expected: 'no such field', actual: '"Ada"' },
    ]);
  });

  test('has the type of its call: a refund is no product', () => {
    expect(wire.check(response('POST', '/v1/products', refund))).not.toEqual([]);
    expect(wire.check(response('GET', '/v1/customers/:id', deletedCustomer))).toEqual([]);
    expect(wire.check(response('POST', '/v1/customers/:id', deletedCustomer))).not.toEqual([]);
  });

  test('that is a list is checked, and its elements by themselves', () => {
    const list = { object: 'list', data: [], has_more: false, url: '/v1/refunds' };
    expect(wire.check(response('GET', '/v1/refunds', list))).toEqual([]);
    expect(wire.check(response('GET', '/v1/refunds', { ...list, total: 0 }))).toMatchObject([
      { at: '$.total' },
    ]);
    const element = (body: unknown) => wire.check(message('element', 'GET', '/v1/refunds', { body }));
    expect(element(refund)).toEqual([]);
    expect(element({ ...refund, amount: null })).toMatchObject([{ at: '$.amount' }]);
  });
});

describe('a request', () => {
  test.each([
    [
      'GET',
      '/v1/events',
      'limit=100&created[gte]=1900000000&types[0]=invoice.paid&types[1]=customer.deleted',
    ],
    ['POST', '/v1/subscriptions/:id', 'cancel_at=&metadata[closed]=yes&metadata[ended]='],
    ['POST', '/v1/subscriptions/:id', 'cancel_at_period_end=true&expand[]=latest_invoice'],
    ['DELETE', '/v1/customers/:id', ''],
  ])('with the parameters of its call is accepted: %s %s?%s', (method, address, form) => {
    expect(wire.check(request(method, address, form))).toEqual([]);
  });

  test.each([
    ['POST', '/v1/customers', 'emial=ada@example.com', '$.emial'],
    ['GET', '/v1/events', 'limit=ten', '$.limit'],
    ['POST', '/v1/refunds', 'reason=regret', '$.reason'],
    ['POST', '/v1/subscriptions/:id', 'cancel_at_period_end=soon', '$.cancel_at_period_end'],
    ['POST', '/v1/subscriptions', 'customer=cus_1&items[0][cost]=5', '$.items[].cost'],
    ['POST', '/v1/checkout/sessions', 'ui_mode=embedded', '$.ui_mode'],
  ])('with a wrong parameter is found: %s %s?%s', (method, address, form, at) => {
    expect(wire.check(request(method, address, form)).map((each) => each.at)).toEqual([at]);
  });
});

describe('an event', () => {
  test('of a type that Stripe doesn’t send is found', () => {
    expect(wire.check(event({ ...refundUpdated, type: 'refund.vanished' }))).not.toEqual([]);
  });

  test('may lack the invoice’s id only if it announces an invoice', () => {
    const idOf = (type: string): string[] =>
      wire
        .check(event({ ...refundUpdated, type, data: { object: { object: 'invoice' } } }))
        .map(({ at }) => at)
        .filter((at) => at === '$.data.object.id');
    expect(idOf('invoice.upcoming')).toEqual([]);
    expect(idOf('invoice.paid')).toEqual(['$.data.object.id']);
  });
});

describe('a refusal', () => {
  const refused = { type: 'invalid_request_error', code: 'charge_already_refunded', message: 'Refunded.' };

  test.each([
    ['type', 'refund_error', '$.error.type'],
    ['code', 'refunded_twice', '$.error.code'],
    ['reason', 'twice', '$.error.reason'],
  ])('with another %s is found', (name, word, at) => {
    expect(wire.check(error({ error: { ...refused, [name]: word } }))).toMatchObject([{ at }]);
  });
});

describe('the recording', () => {
  let server: Server;
  let origin: string;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'selfsame-wire-'));
    vi.stubEnv('SELFSAME_WIRE_FOLDER', folder);
    vi.stubEnv('SELFSAME_WIRE_TEST', caller.test);
    recordWire();
    server = createServer((incoming, outgoing) => {
      void incoming.toArray().then((chunks: Buffer[]) => {
        const isList = incoming.method === 'GET';
        const refuses = Buffer.concat(chunks).toString().includes('twice');
        outgoing.writeHead(refuses ? 400 : 200, { 'content-type': 'application/json' });
        outgoing.write(isList ? '{"object":"list","data":[{"a":1},{"a":2},{"b":1}]' : '{"answer":');
        outgoing.end(isList ? ',"url":"/"}' : '1}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.close();
  });

  test('has each shape once: parameters, answers, elements, refusals and events', async () => {
    const ask = async (
      address: string,
      { headers: more, ...init }: { method?: string; body?: string; headers?: Record<string, string> } = {},
    ): Promise<void> => {
      const headers = { authorization: 'Bearer sk_test_local', ...more };
      await (await fetch(`${origin}${address}`, { ...init, headers })).text();
    };
    for (const id of ['re_1A', 're_2B']) await ask(`/v1/refunds/${id}`, { method: 'POST', body: 'amount=1' });
    await ask('/v1/refunds', { method: 'POST', body: 'twice=yes' });
    await ask('/v1/refunds?limit=3');
    await ask('/v1/userinfo', { headers: { authorization: 'Bearer token' } });
    for (const agent of ['Stripe/1.0 (+https://stripe.com/docs/webhooks)', 'node']) {
      await ask('/api/stripe/webhook', {
        method: 'POST',
        body: JSON.stringify({ type: 'invoice.paid' }),
        headers: { 'stripe-signature': 't=1,v1=0', 'user-agent': agent },
      });
    }
    await vi.waitFor(() => {
      expect(readMessages(folder)).toHaveLength(8);
    });
    const post = { ...caller, method: 'POST' };
    const list = { ...caller, method: 'GET', path: '/v1/refunds' };
    expect(readMessages(folder)).toEqual([
      { kind: 'request', ...post, path: '/v1/refunds/:id', form: 'amount=1' },
      { kind: 'response', ...post, path: '/v1/refunds/:id', body: { answer: 1 } },
      { kind: 'error', ...post, path: '/v1/refunds', body: { answer: 1 } },
      { kind: 'request', ...list, form: 'limit=3' },
      { kind: 'response', ...list, body: { object: 'list', data: [], url: '/' } },
      { kind: 'element', ...list, body: { a: 1 } },
      { kind: 'element', ...list, body: { b: 1 } },
      { kind: 'event', ...post, path: 'webhook', body: { type: 'invoice.paid' } },
    ]);
  });

  test('tells words of enums apart, and ids not', () => {
    expect(shapeOf('active')).not.toBe(shapeOf('canceled'));
    expect(shapeOf('sub_1MowQVLkdIwHu7ix')).toBe(shapeOf('cus_NffrFeUfNV2Hib'));
    expect(shapeOf({ a: 1, b: [1, 2] })).toBe(shapeOf({ b: [3], a: 4 }));
    expect(shapeOf({ a: null })).not.toBe(shapeOf({ a: 1 }));
  });
});
