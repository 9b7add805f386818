import { expect, test } from 'vitest';
import { DAY, useStripe, world } from '../fixtures/stripe.ts';

useStripe();

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
