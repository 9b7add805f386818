import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listen, type Loopback } from '../../base/loopback.ts';
import { findingsIn } from '../../wire/wire-check.ts';
import { readMessages, shapeOf, type WireMessage } from '../../wire/wire-message.ts';
import { recordWire } from '../../wire/wire-recorder.ts';

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

const noRefunds = { object: 'list', data: [], has_more: false, url: '/v1/refunds' };
const refunds = (body: unknown) => response('POST', '/v1/refunds', body);
const element = (body: unknown) => message('element', 'GET', '/v1/refunds', { body });
const refused = { type: 'invalid_request_error', code: 'charge_already_refunded', message: 'Refunded.' };
const refusal = (change: object) => error({ error: { ...refused, ...change } });
const invoiceEvent = (type: string) =>
  event({ ...refundUpdated, type, data: { object: { object: 'invoice' } } });

test('messages that fit Stripe’s types are accepted', () => {
  const messages = [
    refunds(refund),
    refunds({ ...refund, transfer_reversal: 'trr_1', customer: deletedCustomer }),
    response('GET', '/v1/customers/:id', deletedCustomer),
    response('GET', '/v1/refunds', noRefunds),
    element(refund),
    request(
      'GET',
      '/v1/events',
      'limit=100&created[gte]=1900000000&types[0]=invoice.paid&types[1]=customer.deleted',
    ),
    request('POST', '/v1/subscriptions/:id', 'cancel_at=&metadata[closed]=yes&metadata[ended]='),
    request('POST', '/v1/subscriptions/:id', 'cancel_at_period_end=true&expand[]=latest_invoice'),
    request('DELETE', '/v1/customers/:id', ''),
    event(refundUpdated),
    message('element', 'GET', '/v1/events', { body: refundUpdated }),
    refusal({}),
  ];
  expect(findingsIn(messages)).toEqual([]);
});

/** Messages that don’t fit, and what is found. */
const wrong: [WireMessage, string][] = [
  [refunds({ ...refund, amount: '500' }), '"amount": "500",'],
  [refunds({ ...refund, currency: null }), '"currency": null,'],
  [refunds({ ...refund, reason: 'regret' }), '"reason": "regret",'],
  [refunds({ ...refund, receipt: 'x' }), '"receipt": "x"'],
  [refunds({ ...refund, metadata: { why: 1 } }), '"why": 1'],
  [refunds({ ...refund, object: 'charge' }), '"object": "charge",'],
  [refunds({ ...refund, amount: undefined }), 'amount'],
  [refunds({ ...refund, customer: { ...deletedCustomer, deleted: 'yes' } }), 'deleted'],
  [refunds({ ...refund, customer: { ...deletedCustomer, name: 'Ada' } }), 'name'],
  [response('POST', '/v1/products', refund), 'refund'],
  [response('POST', '/v1/customers/:id', deletedCustomer), 'deleted'],
  [response('GET', '/v1/refunds', { ...noRefunds, total: 0 }), '"total": 0'],
  [element({ ...refund, amount: null }), '"amount": null,'],
  [request('POST', '/v1/customers', 'emial=ada@example.com'), '"emial": "ada@example.com"'],
  [request('GET', '/v1/events', 'limit=ten'), '"limit": "ten"'],
  [request('POST', '/v1/refunds', 'reason=regret'), '"reason": "regret"'],
  [request('POST', '/v1/subscriptions/:id', 'cancel_at_period_end=soon'), '"soon"'],
  [request('POST', '/v1/subscriptions', 'customer=cus_1&items[0][cost]=5'), '"cost": "5"'],
  [request('POST', '/v1/checkout/sessions', 'ui_mode=embedded'), '"ui_mode": "embedded"'],
  [request('POST', '/v1/gifts', ''), 'POST /v1/gifts'],
  [event({ ...refundUpdated, type: 'refund.vanished', data: { object: refund } }), 'never'],
  [invoiceEvent('invoice.paid'), ' id,'],
  // The invoice has no id yet.
  [invoiceEvent('invoice.upcoming'), `'Omit<Invoice, "id">': account_country`],
  [
    event({ ...refundUpdated, data: { object: refund, previous_attributes: { amount: 'x' } } }),
    '"amount": "x"',
  ],
  [refusal({ type: 'refund_error' }), '"type": "refund_error",'],
  [refusal({ code: 'refunded_twice' }), 'refunded_twice'],
  [refusal({ reason: 'twice' }), '"reason": "twice"'],
];

test('messages that don’t fit are found, at the line that doesn’t', () => {
  const findings = findingsIn(wrong.map(([each]) => each));
  const found = wrong.map(([each]) =>
    findings.filter(({ message: of }) => of === each).map(({ line, problem }) => `${line} ${problem}`),
  );
  expect(found).toEqual(wrong.map(([, at]) => [expect.stringContaining(at)]));
});

describe('the recording', () => {
  let server: Loopback;
  let origin: string;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'selfsame-wire-'));
    vi.stubEnv('SELFSAME_WIRE_FOLDER', folder);
    vi.stubEnv('SELFSAME_WIRE_TEST', caller.test);
    recordWire();
    server = await listen(0, (incoming, outgoing) => {
      void incoming.toArray().then((chunks: Buffer[]) => {
        const isList = incoming.method === 'GET';
        const refuses = Buffer.concat(chunks).toString().includes('twice');
        outgoing.writeHead(refuses ? 400 : 200, { 'content-type': 'application/json' });
        outgoing.write(isList ? '{"object":"list","data":[{"a":1},{"a":2},{"b":1}]' : '{"answer":');
        outgoing.end(isList ? ',"url":"/"}' : '1}');
      });
    });
    origin = `http://127.0.0.1:${server.port}`;
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    return server.close();
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
