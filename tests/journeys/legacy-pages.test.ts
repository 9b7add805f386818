import type { Page } from 'playwright/test';
import { cardForm, expect, signIn, test } from '../fixtures/browser/journey.ts';
import { tokensOf } from '../fixtures/worlds/access-token.ts';
import { buyPlus } from '../fixtures/worlds/account.ts';

/** Sets a flag in the document, which a page load clears. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(globalThis, { marked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'marked' in globalThis);

test('/stripe-checkout sends a visitor to sign in and back, has a Cancel link to the prices, and shares its session with /checkout, to which /return leads back while it is unpaid', async ({
  page,
  world,
  account,
}) => {
  await page.goto('/return');
  await expect(page.getByText('No session ID found')).toBeVisible();
  await expect(page).toHaveURL('/return');
  await expect(page.getByRole('link', { name: 'Return to Pricing' })).toBeVisible();

  await page.goto('/stripe-checkout');
  await expect(page).toHaveURL('/login');
  await signIn(page, account);
  await expect(page).toHaveURL('/stripe-checkout');
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
  await expect(page.getByText("You're upgrading to Plus")).toBeVisible();
  await cardForm(page).getByLabel('Card number').waitFor();
  await page.getByRole('link', { name: 'Cancel', exact: true }).click();
  await expect(page).toHaveURL('/pricing');

  const { checkout_session_id: session, billing_customer_id: customer = '' } =
    (await world.rowOf(account.id)) ?? {};
  await page.goto(`/return?session_id=${session}`);
  await expect(page.getByRole('heading', { name: 'Payment Pending' })).toBeVisible();
  await page.getByRole('link', { name: 'Return to Checkout' }).click();
  await expect(page).toHaveURL('/checkout');
  await cardForm(page).getByLabel('Card number').waitFor();
  expect((await world.stripe.checkout.sessions.list({ customer })).data).toHaveLength(1);
});

test('/return shows the payment as soon as its user signs in in another tab', async ({
  page,
  world,
  account,
  context,
}) => {
  await buyPlus(world, account, { accessToken: (await tokensOf(world, account)).access });
  const session = String((await world.rowOf(account.id))?.checkout_session_id);
  await page.goto(`/return?session_id=${session}`);
  await expect(page.getByText('Failed to fetch session status')).toBeVisible();
  const address = `/checkout/return?${new URLSearchParams({ session_id: session }).toString()}`;
  const signInLink = page.getByRole('main').getByRole('link', { name: 'Sign In' });
  await expect(signInLink).toHaveAttribute('href', address);
  const other = await context.newPage();
  await other.goto(address);
  await signIn(other, account);
  await expect(other).toHaveURL(address);
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await expect(page.getByText("You're on Plus. Your account has been upgraded.")).toBeVisible();
  const { stripe_subscription_id: subscription } = (await world.rowOf(account.id)) ?? {};
  await expect(page.getByText(String(subscription))).toBeVisible();
  // Its links load whole pages.
  await mark(page);
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page).toHaveURL('/dashboard');
  expect(await isMarked(page)).toBe(false);
});
