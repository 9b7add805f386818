import type { Page } from 'playwright/test';
import type { World } from '../fixtures/worlds/world.ts';
import {
  cardForm,
  CARDS,
  expect,
  pay,
  returnTo,
  signInByStorage,
  test,
} from '../fixtures/browser/journey.ts';
import type { Account } from '../fixtures/worlds/account.ts';

const cardNumber = (page: Page) => cardForm(page).getByLabel('Card number');

const answerBank = (page: Page, answer: 'Complete' | 'Fail' | 'Close') =>
  cardForm(page).getByRole('dialog').getByRole('button', { name: answer }).click();

async function customerOf(world: World, account: Account): Promise<string> {
  return String((await world.rowOf(account.id))?.billing_customer_id);
}

const sessionsOf = async (world: World, customer: string) =>
  (await world.stripe.checkout.sessions.list({ customer })).data;

const subscriptionsOf = async (world: World, customer: string) =>
  (await world.stripe.subscriptions.list({ customer, status: 'all' })).data;

test('tabs, refusals and a bank share a session, paid once', async ({ page, account, world, context }) => {
  await signInByStorage(page, account, world);
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto('/checkout');
    await cardNumber(page).waitFor();
    await page.getByRole('link', { name: 'Cancel & Return to Pricing' }).click();
  }
  await page.getByRole('link', { name: 'Upgrade to Plus' }).click();
  await pay(page, CARDS.isDeclined);
  await expect(cardForm(page).getByText('Your card was declined.')).toBeVisible();
  await pay(page, CARDS.asksBank);
  await answerBank(page, 'Fail');
  await expect(cardForm(page).getByText('We are unable to authenticate your payment method.')).toBeVisible();
  await pay(page, CARDS.asksBank);
  await answerBank(page, 'Close');

  const other = await context.newPage();
  await other.goto('/checkout');
  await pay(page, CARDS.asksBank);
  await pay(other, CARDS.asksBank);
  const returned = await context.newPage();
  const unpaid = String((await world.rowOf(account.id))?.checkout_session_id);
  await returned.goto(`/checkout/return?session_id=${unpaid}`);
  await expect(
    returned.getByText('Your payment is not complete yet. Nothing has been charged.'),
  ).toBeVisible();
  const customer = await customerOf(world, account);
  expect((await sessionsOf(world, customer)).map(({ status }) => status)).toEqual(['open']);
  expect(await subscriptionsOf(world, customer)).toEqual([]);

  await answerBank(other, 'Complete');
  await expect(other.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await returnTo(returned);
  await expect(returned.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await answerBank(page, 'Complete');
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  expect((await world.rowOf(account.id))?.plan).toBe('plus');
  expect(await sessionsOf(world, customer)).toHaveLength(1);
  expect(await subscriptionsOf(world, customer)).toHaveLength(1);
  const charges = (await world.stripe.charges.list({ customer })).data;
  expect(charges.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
});

test('a checkout that is left, restored or blocked opens again', async ({ page, account, world }) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await signInByStorage(page, account, world);
  await page.goto('/checkout?plan=gold');
  await expect(page.getByText('There is no plan of that name.')).toBeVisible();
  await page.getByRole('link', { name: 'Return to Pricing' }).click();
  await expect(page).toHaveURL('/pricing');
  let answer: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/create-checkout-session', async (route) => {
    await left;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Upgrade to Plus' }).click();
  await expect(page.getByText('Loading checkout...')).toBeVisible();
  await page.getByRole('link', { name: 'Cancel & Return to Pricing' }).click();
  await expect(page).toHaveURL('/pricing');
  answer();
  // Faster than any user: the form is left while it is constructed.
  await page.getByRole('link', { name: 'Upgrade to Plus' }).click();
  await page.locator('iframe[title="Secure payment input frame"]').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Upgrade to Plus' }).click();
  await expect(cardNumber(page)).toBeVisible();
  expect(faults).toEqual([]);

  // A page that the back-forward cache restores.
  const asked = page.waitForRequest('**/api/create-checkout-session');
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await asked;
  await expect(cardNumber(page)).toBeVisible();

  await page.unroute('**/api/create-checkout-session');
  await page.route('**/api/create-checkout-session', (route) => route.abort(), { times: 1 });
  await page.goto('/checkout');
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(page.getByText('Failed to create checkout session')).toBeVisible();
  await expect(page.getByText('Nothing has been charged.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Return to Pricing' })).toBeVisible();
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(cardNumber(page)).toBeVisible();

  // The local world defines Stripe before the application asks for its script.
  await page.addInitScript(`Object.defineProperty(window, 'Stripe', { get() {}, set() {} })`);
  await page.route('https://js.stripe.com/**', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('probably blocks js.stripe.com')).toBeVisible();
  await expect(page.getByText('Nothing has been charged.')).toBeVisible();
});

test('the return page says what became of a payment, and looks again', async ({ page, account, world }) => {
  await signInByStorage(page, account, world);
  const complete = {
    status: 'complete',
    customer_email: account.email,
    subscription_id: null,
    customer_id: null,
    subscription_status: 'active',
    subscription_current_period_end: null,
    plan: 'plus',
  };
  let answer: object = { ...complete, payment: 'processing' };
  await page.route('**/api/session-status?**', (route) => route.fulfill({ json: answer }));
  await page.goto('/checkout/return?session_id=cs_test_1');
  await expect(page.getByRole('heading', { name: 'Payment Processing' })).toBeVisible();
  answer = { ...complete, payment: 'failed' };
  await returnTo(page);
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/checkout');
  for (const [given, sentence] of [
    [{ refunded: true }, 'You were already on Plus, so this second payment has been refunded.'],
    [{ subscription_status: 'canceled' }, 'The subscription that this payment began has ended.'],
    [{ status: 'expired' }, "We couldn't determine the status of your payment."],
  ] as const) {
    answer = { ...complete, payment: 'paid', ...given };
    await page.reload();
    await expect(page.getByText(sentence)).toBeVisible();
  }
});
