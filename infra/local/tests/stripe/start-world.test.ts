import { expect, test } from 'vitest';
import { startWorld } from '../../start-world.ts';

test('the first example of the README does what it says', async () => {
  const { stripe, clock, inbox, stop } = await startWorld({ stripe: {} });
  const { subscription } = await stripe.subscribe({ number: '4000 0000 0000 0341' });

  await clock.advance('P40D');

  const { status } = await stripe.stripe.subscriptions.retrieve(subscription.id);
  expect(status).toBe('past_due');
  expect(stripe.received.map(({ event }) => event.type)).toContain('invoice.payment_failed');
  expect(inbox.list()).toEqual([]);
  await expect(clock.advance('40 days')).rejects.toThrow('40 days is not an ISO 8601 duration');
  await stop();
});
