import { cardForm, expect, signIn, test } from '../fixtures/browser/journey.ts';
import { tokensOf } from '../fixtures/worlds/access-token.ts';
import { buyPlus } from '../fixtures/worlds/account.ts';

test('/stripe-checkout and /return share the session of /checkout', async ({ page, world, account }) => {
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

test('/return shows a payment as its user signs in elsewhere', async ({ page, world, account, context }) => {
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
  await page.evaluate('globalThis.marked = true');
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page).toHaveURL('/dashboard');
  expect(await page.evaluate("'marked' in globalThis")).toBe(false);
});
