import { afterEach, expect, test } from 'vitest';
import { EventForwarder } from '../../vendors/stripe-test-mode.ts';
import { listen, type Loopback } from '../../base/loopback.ts';
import { Store } from '../../base/store.ts';
import { startStripe, type StripeStandIn } from '../fixtures/stripe.ts';

const SECRET = 'whsec_of_this_machine';
let stripe: StripeStandIn;
let webhook: Loopback;
afterEach(async () => {
  await webhook.close();
  await stripe.close();
});

/** A Stripe, a webhook, and the forwarder between them. The webhook answers `status`. */
async function world() {
  stripe = await startStripe();
  const received: { id: string; type: string }[] = [];
  const state = { status: 200 };
  webhook = await listen(0, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const event = stripe.stripe.webhooks.constructEvent(
        body,
        String(request.headers['stripe-signature']),
        SECRET,
        undefined,
        undefined,
        stripe.clock.now().getTime(),
      );
      if (state.status === 200) received.push({ id: event.id, type: event.type });
      response.writeHead(state.status).end();
    });
  });
  const store = new Store(':memory:');
  const forwarder = () =>
    new EventForwarder({
      keys: { secretKey: 'sk_test_local', publishableKey: 'pk_test_local' },
      store,
      clock: stripe.clock,
      webhook: { url: `http://127.0.0.1:${webhook.port}/api/stripe/webhook`, secret: SECRET },
      origin: stripe.origin,
    });
  const customer = () => stripe.stripe.customers.create({ email: 'ada@example.com' });
  return { received, state, forwarder, customer };
}

test('new events of Stripe reach the webhook, signed, once and in order', async () => {
  const { received, forwarder, customer } = await world();
  await customer();
  const first = forwarder();
  await first.poll();
  expect(received).toEqual([]);

  await customer();
  const { id } = await customer();
  await stripe.stripe.customers.del(id);
  await first.poll();
  await first.poll();
  expect(received.map(({ type }) => type)).toEqual([
    'customer.created',
    'customer.created',
    'customer.deleted',
  ]);

  await customer();
  await forwarder().poll();
  expect(received).toHaveLength(4);
});

test('a refused event is retried before later events, and not for ever', async () => {
  const { received, state, forwarder, customer } = await world();
  const only = forwarder();
  await only.poll();
  await customer();
  state.status = 500;
  await only.poll();
  await customer();
  state.status = 200;
  await only.poll();
  expect(received).toHaveLength(2);

  await customer();
  state.status = 400;
  const { error } = console;
  console.error = () => {};
  for (let i = 0; i < 5; i += 1) await only.poll();
  console.error = error;
  state.status = 200;
  await customer();
  await only.poll();
  expect(received).toHaveLength(3);
});
