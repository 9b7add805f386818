import { once } from 'node:events';
import {
  cardForm,
  CARDS,
  expect,
  openDashboard,
  pay,
  CRASH_PORT,
  test,
} from '../fixtures/browser/journey.ts';
import { createAccount } from '../fixtures/worlds/account.ts';
import { World } from '../fixtures/worlds/world.ts';

test('an error in a page is written to the console as one line, without query and tokens', async ({
  page,
}) => {
  const lines: unknown[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') lines.push(JSON.parse(message.text()));
  });
  const TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.signature';
  await page.goto('/login?from=mail');
  // Hydration removes listeners too. After it, only the sign-in page does, when it is left.
  await expect.poll(() => page.evaluate('window.earlyClick === undefined')).toBe(true);
  await page.evaluate(`
    window.removeEventListener = () => {
      throw new Error('Failed at /oauth/callback?code=secret with ${TOKEN}');
    };
  `);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  await expect(page).toHaveTitle(/^Terms/);
  await expect
    .poll(() => lines)
    .toContainEqual(
      expect.objectContaining({
        event: 'page-error',
        origin: 'caught',
        message: 'Error: Failed at /oauth/callback with [token]',
        componentStack: expect.stringContaining('at '),
      }),
    );

  await page.evaluate(`
    setTimeout(() => { throw new TypeError('In a timer.'); });
    void Promise.reject(new RangeError('In a promise.'));
  `);
  const outside = (origin: string, message: string) =>
    expect.objectContaining({ event: 'page-error', origin, path: '/terms', message }) as unknown;
  await expect.poll(() => lines).toContainEqual(outside('script', 'TypeError: In a timer.'));
  await expect.poll(() => lines).toContainEqual(outside('promise', 'RangeError: In a promise.'));
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('killed between a payment and its webhook, the plan becomes Plus by itself after the restart', async ({
  browser,
}) => {
  const world = new World(CRASH_PORT);
  await world.start();
  const account = await createAccount(world);
  const page = await browser.newPage({ baseURL: world.origin });
  await openDashboard(page, account, world);
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
  await expect.poll(async () => (await world.rowOf(account.id))?.plan).toBe('plus');
  await world.stop();
});
