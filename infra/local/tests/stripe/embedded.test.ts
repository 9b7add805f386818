import { readFileSync } from 'node:fs';
import { chromium, type Browser, type FrameLocator, type Page } from 'playwright';
import type { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { browserArguments, findBrowser } from '../../../../tests/fixtures/browser/browser.ts';
import { startReactStripePage, type ReactStripePage } from '../fixtures/react-stripe-page.ts';
import { startStripe, type StripeStandIn } from '../fixtures/stripe.ts';

let browser: Browser;
let world: StripeStandIn;
let shopPage: ReactStripePage;
let page: Page;
let said: string[];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: await findBrowser(), args: browserArguments });
});
afterAll(() => browser.close());

beforeEach(async () => {
  world = await startStripe();
  shopPage = await startReactStripePage(() => world.service.browserScript(), world.origin);
  page = await browser.newPage();
  said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
});
afterEach(async () => {
  await page.close();
  shopPage.close();
  await world.close();
});

const visit = async (session: Stripe.Checkout.Session): Promise<FrameLocator> => {
  await page.goto(shopPage.address(session.client_secret ?? ''));
  return page.frameLocator('iframe');
};

const pay = async (frame: FrameLocator, number: string): Promise<void> => {
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiration').fill('12 / 50');
  await frame.getByLabel('CVC').fill('123');
  await frame.getByLabel('Cardholder name').fill('Ada Lovelace');
  await frame.getByRole('button', { name: 'Subscribe' }).click();
};

test('the script has the release train that the installed stripe-js expects', () => {
  const library = readFileSync(
    new URL('../../../../node_modules/@stripe/stripe-js/dist/index.mjs', import.meta.url),
    'utf8',
  );
  const train = /RELEASE_TRAIN = '(\w+)'/.exec(library)?.[1];
  expect(train).toBeDefined();
  expect(world.service.browserScript()).toContain(`RELEASE_TRAIN = '${train}'`);
});

test('under StrictMode one frame is shown, a second card can pay after a declined card, and the page redirects', async () => {
  const { session } = await world.openCheckout({ return_url: shopPage.returnUrl });
  const frame = await visit(session);
  await frame.getByText('ada@example.com').waitFor();
  expect(await page.locator('iframe').count()).toBe(1);

  await pay(frame, '4000 0000 0000 0002');
  await frame.getByRole('alert').getByText('Your card was declined.').waitFor();
  await frame.getByLabel('Card number').fill('4242 4242 4242 4241');
  await frame.getByRole('button', { name: 'Subscribe' }).click();
  await frame.getByText('Your card number is invalid.').waitFor();
  await pay(frame, '4242 4242 4242 4242');

  await page.waitForURL(shopPage.returnUrl.replace('{CHECKOUT_SESSION_ID}', session.id));
  expect((await world.stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
  expect(said.filter((line) => /stripe|security policy|error:/i.test(line))).toEqual([]);
});

test('leaving the page and coming back shows the checkout again', async () => {
  const { session } = await world.openCheckout();
  const frame = await visit(session);
  await frame.getByLabel('Card number').waitFor();

  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('iframe').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Open' }).click();

  await frame.getByLabel('Card number').waitFor();
  expect(await page.locator('iframe').count()).toBe(1);
});

test('a second checkout on the same page is refused', async () => {
  const { session } = await world.openCheckout();
  await (await visit(session)).getByLabel('Card number').waitFor();

  const refusal = await page.evaluate(
    `window.stripe.then((stripe) => stripe.createEmbeddedCheckoutPage({ clientSecret: 'cs_a_secret_b' })).catch(String)`,
  );

  expect(refusal).toBe('IntegrationError: You cannot have multiple Embedded Checkout objects.');
});

test('a message from another frame or window completes nothing', async () => {
  const { session } = await world.openCheckout();
  await (await visit(session)).getByLabel('Card number').waitFor();
  const before = page.url();

  await page.evaluate(`window.postMessage({ type: 'complete', returnUrl: 'https://evil.example/' }, '*')`);
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve))`);

  expect(page.url()).toBe(before);
});
