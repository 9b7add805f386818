import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { DAY, HOUR, stripe, useStripe, world } from '../fixtures/stripe.ts';

useStripe();

const pageOf = async (secret: string | null): Promise<string> =>
  (await fetch(`${world.origin}/embedded/${secret}`)).text();

test('a valid card completes the session, with a subscription, a paid invoice and their events', async () => {
  const { customer, session } = await world.openCheckout();

  const answer = await world.submitCard(session);

  expect(answer).toEqual({
    status: 200,
    kind: 'done',
    returnUrl: `http://localhost:3000/checkout/return?session_id=${session.id}`,
  });
  const complete = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice', 'line_items'],
  });
  expect(complete).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    client_secret: null,
    customer: customer.id,
    customer_details: { email: 'ada@example.com', name: 'Ada Lovelace' },
    line_items: { data: [{ description: 'Plus', amount_total: 500 }] },
    subscription: {
      status: 'active',
      metadata: { selfsame: 'test/user-1' },
      latest_invoice: { status: 'paid', amount_paid: 500, billing_reason: 'subscription_create' },
    },
  });
  const { data } = await stripe.subscriptions.list({ customer: customer.id });
  expect(data).toHaveLength(1);
  const [item] = data[0]?.items.data ?? [];
  expect((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)).toBe((31 * DAY) / 1000);
  await world.service.allDelivered();
  expect(world.received.map(({ event }) => event.type).toSorted()).toEqual([
    'charge.succeeded',
    'checkout.session.completed',
    'customer.created',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'invoice.updated',
    'payment_intent.created',
    'payment_intent.succeeded',
    'payment_method.attached',
    'price.created',
    'product.created',
  ]);
});

test('a declined card leaves only its failed charge, and a second card then pays', async () => {
  const { customer, session } = await world.openCheckout();
  await world.service.allDelivered();
  const before = world.service.listEvents().length;

  const declined = await world.submitCard(session, { number: '4000 0000 0000 0002' });
  expect(declined).toEqual({ status: 402, kind: 'refused', message: 'Your card was declined.' });
  const poor = await world.submitCard(session, { number: '4000000000009995' });
  expect(poor).toMatchObject({ kind: 'refused', message: 'Your card has insufficient funds.' });

  const events = world.service.listEvents().slice(0, -before).toReversed();
  expect(events.map(({ type }) => type)).toEqual([
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
  ]);
  expect(
    (await stripe.charges.list({ customer: customer.id, expand: ['data.payment_intent'] })).data,
  ).toMatchObject([
    {
      paid: false,
      status: 'failed',
      failure_code: 'card_declined',
      outcome: { reason: 'insufficient_funds' },
      payment_intent: {
        status: 'requires_payment_method',
        last_payment_error: { decline_code: 'insufficient_funds' },
      },
    },
    { paid: false, status: 'failed', amount: 500, outcome: { reason: 'generic_decline' } },
  ]);
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    subscription: null,
    invoice: null,
    client_secret: session.client_secret,
  });
  expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([]);
  expect((await stripe.invoices.list({ customer: customer.id })).data).toEqual([]);
  expect((await stripe.events.list({ type: 'payment_method.attached' })).data).toEqual([]);

  expect(await world.submitCard(session)).toMatchObject({ kind: 'done' });
  expect((await stripe.charges.list({ customer: customer.id })).data).toHaveLength(3);
});

test('a card whose bank asks pays only once the cardholder has said yes, in one of two tabs, before the end', async () => {
  const card = { number: '4000 0025 0000 3155' };
  const { customer, session } = await world.openCheckout();
  const answer = async (authentication?: 'accepted' | 'refused', open = session) => {
    const { kind } = await world.submitCard(open, { ...card, authentication });
    return [kind, (await stripe.subscriptions.list({ customer: customer.id })).data.length];
  };

  expect(await answer()).toEqual(['challenge', 0]);
  expect(await answer('refused')).toEqual(['refused', 0]);
  expect((await stripe.charges.list({ customer: customer.id })).data).toEqual([]);
  expect(await answer()).toEqual(['challenge', 0]);
  expect(await answer('accepted')).toEqual(['done', 1]);
  expect(await answer('accepted')).toEqual(['done', 1]);
  expect((await stripe.charges.list({ customer: customer.id })).data).toHaveLength(1);

  const { session: late } = await world.openCheckout({ customer: customer.id });
  expect(await answer(undefined, late)).toEqual(['challenge', 1]);
  await world.clock.advance(DAY);
  expect(await answer('accepted', late)).toEqual(['refused', 1]);
});

test('a card without funds is declined after its bank has asked', async () => {
  const { session } = await world.openCheckout();
  const card = { number: '4000 0082 6000 3178' };
  expect(await world.submitCard(session, card)).toMatchObject({
    kind: 'refused',
    message: 'Your card has insufficient funds.',
  });
});

test('a session offers what the account has switched on, unless it names types', async () => {
  const { session: all } = await world.openCheckout();
  expect(all).toMatchObject({
    allowed_payment_method_types: null,
    payment_method_types: ['card', 'link', 'us_bank_account'],
  });
  const { session: atOnce } = await world.openCheckout({
    allowed_payment_method_types: ['card', 'link', 'paypal'],
  });
  expect(atOnce).toMatchObject({
    allowed_payment_method_types: ['card', 'link', 'paypal'],
    payment_method_types: ['card', 'link'],
  });
  await expect(world.openCheckout({ allowed_payment_method_types: ['sepa_debit'] })).rejects.toMatchObject({
    param: 'allowed_payment_method_types',
  });
  await expect(world.openCheckout({ allowed_payment_method_types: ['cheque'] })).rejects.toMatchObject({
    statusCode: 400,
  });
  const old = { payment_method_types: ['card'] } as Partial<Stripe.Checkout.SessionCreateParams>;
  await expect(world.openCheckout(old)).rejects.toMatchObject({ code: 'parameter_unknown' });
});

test('an invalid card field gets the message of Stripe’s form', async () => {
  const { session } = await world.openCheckout();
  const problemsOf = async (card: Record<string, string>): Promise<unknown> =>
    (await world.submitCard(session, card)).problems;

  expect(await problemsOf({ number: '4242 4242 4242 4241' })).toEqual({
    number: 'Your card number is invalid.',
  });
  expect(await problemsOf({ number: '4242 4242' })).toEqual({ number: 'Your card number is incomplete.' });
  expect(await problemsOf({ expiry: '12 / 29' })).toEqual({
    expiry: "Your card's expiration year is in the past.",
  });
  await world.clock.advance(60 * DAY);
  const later = await world.openCheckout();
  expect((await world.submitCard(later.session, { expiry: '02 / 30' })).problems).toEqual({
    expiry: "Your card's expiration date is in the past.",
  });
  expect((await world.submitCard(later.session, { expiry: '1', cvc: '12', name: ' ' })).problems).toEqual({
    expiry: "Your card's expiration date is incomplete.",
    cvc: "Your card's security code is incomplete.",
    name: 'Enter the name on the card.',
  });
});

test('two clicks pay once', async () => {
  const { customer, session } = await world.openCheckout();

  const answers = await Promise.all([world.submitCard(session), world.submitCard(session)]);

  expect(answers.map(({ kind }) => kind)).toEqual(['done', 'done']);
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1);
  expect((await stripe.charges.list({ customer: customer.id })).data).toHaveLength(1);
});

test('the page shows the form while the session is open, and its status afterwards', async () => {
  const { session } = await world.openCheckout();
  const page = await pageOf(session.client_secret);
  expect(page).toContain('Card number');
  expect(page).toContain('ada@example.com');
  expect(page).toContain('Local stand-in');
  expect(page).not.toMatch(/<script>|\son\w+=/);

  await world.submitCard(session);
  expect(await pageOf(session.client_secret)).toContain('Payment complete');

  const other = await world.openCheckout();
  await stripe.checkout.sessions.expire(other.session.id);
  expect(await pageOf(other.session.client_secret)).toContain('expired');
  expect(await world.submitCard(other.session)).toMatchObject({ status: 400, kind: 'refused' });

  expect(await pageOf(`${session.id.slice(0, -1)}x_secret_y`)).toContain('There is nothing here');
});

test('an open session is neither shown nor paid without its complete secret', async () => {
  const { session } = await world.openCheckout();
  const guessed = { client_secret: `${session.id}_secret_guess` };

  expect((await fetch(`${world.origin}/embedded/${guessed.client_secret}`)).status).toBe(404);
  expect(await world.submitCard(guessed)).toMatchObject({ status: 404 });
});

test('the form can only be sent from its own page', async () => {
  const { session } = await world.openCheckout();
  const send = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${world.origin}/embedded/${session.client_secret}/pay`, { method: 'POST', headers, body: '{}' });

  expect((await send({ 'content-type': 'application/json', origin: 'https://evil.example' })).status).toBe(
    403,
  );
  expect((await send({ 'content-type': 'text/plain' })).status).toBe(403);
});

test('a session expires at the given time, between thirty minutes and a day', async () => {
  const lasting = (seconds: number) => world.openCheckout({ expires_at: world.now() + seconds });
  await expect(lasting(29 * 60)).rejects.toMatchObject({ param: 'expires_at' });
  await expect(lasting(24 * 3600 + 60)).rejects.toMatchObject({ param: 'expires_at' });
  const { customer, session } = await lasting(3600);
  const { session: whole } = await world.openCheckout();

  await world.clock.advance(HOUR);
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
  expect((await stripe.checkout.sessions.retrieve(whole.id)).status).toBe('open');
  await world.clock.advance(DAY);
  expect((await stripe.checkout.sessions.retrieve(whole.id)).status).toBe('expired');

  const expired = world.received.filter(({ event }) => event.type === 'checkout.session.expired');
  expect(expired).toHaveLength(2);
  const listed = await stripe.checkout.sessions.list({ customer: customer.id, status: 'expired' });
  expect(listed.data.map(({ id }) => id)).toEqual([session.id]);
});
