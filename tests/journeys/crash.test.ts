import { once } from 'node:events';
import { cardForm, CARDS, expect, openDashboard, pay, PORT_APART, test } from '../fixtures/journey.ts';
import { makeAccount } from '../fixtures/person.ts';
import { World } from '../fixtures/world.ts';

test('killed between a payment and its webhook, the plan becomes Plus by itself after the restart', async ({
  browser,
}) => {
  const world = new World(PORT_APART);
  await world.start();
  const person = await makeAccount(world);
  const page = await browser.newPage({ baseURL: world.origin });
  await openDashboard(page, person, world);
  await page.goto('/checkout');
  await cardForm(page).getByLabel('Card number').waitFor();
  // The events of opening the checkout are delivered, so the next webhook is the payment's.
  await expect
    .poll(async () =>
      (await world.get<{ delivery: string }[]>('/__local/stripe/events')).map((e) => e.delivery),
    )
    .not.toContain('pending');
  world.process.kill('SIGUSR2');
  const death = once(world.process, 'exit');
  await pay(page, CARDS.pays);
  expect(await death).toEqual([null, 'SIGKILL']);
  // The browser is closed, so that no page asks the server to look at Stripe.
  await page.close();

  await world.start();
  await expect.poll(async () => (await world.rowOf(person.id))?.plan).toBe('plus');
  await world.stop();
});
