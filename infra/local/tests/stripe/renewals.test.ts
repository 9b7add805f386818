import { expect, test } from 'vitest';
import { HOUR, reload, stripe, useStripe, world } from '../fixtures/stripe.ts';

useStripe();

test('a subscription begun on 31 January renews on each last day, by its anchor', async () => {
  await world.clock.advance(Date.parse('2030-01-31T10:30:00Z') - world.clock.now().getTime());
  const { subscription } = await world.subscribe();
  const since = subscription.billing_cycle_anchor * 1000 - Date.parse('2030-01-31T10:30:00Z');
  const ends: string[] = [];
  for (let month = 0; month < 4; month += 1) {
    const end = ((await reload(subscription)).items.data[0]?.current_period_end ?? 0) * 1000;
    ends.push(new Date(end - since).toISOString());
    await world.clock.advance(end + HOUR - world.clock.now().getTime());
  }
  expect(ends.map((end) => end.slice(0, 16))).toEqual([
    '2030-02-28T10:30',
    '2030-03-31T10:30',
    '2030-04-30T10:30',
    '2030-05-31T10:30',
  ]);
  const { data } = await stripe.invoices.list({ subscription: subscription.id });
  expect(data.map(({ status, amount_paid }) => [status, amount_paid])).toEqual(
    Array.from({ length: 5 }, () => ['paid', 500]),
  );
});
