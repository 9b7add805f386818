import type { Page } from 'playwright/test';
import { cardForm, expect, openDashboard, signIn, test } from '../fixtures/browser/journey.ts';
import { tokensOf } from '../fixtures/worlds/access-token.ts';
import { buyPlus } from '../fixtures/worlds/account.ts';

/** Sets a flag in the document, which a page load clears. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(globalThis, { marked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'marked' in globalThis);

test('/stripe-checkout sends a visitor to sign in and back, has a Cancel link to the prices, and shares its session with /checkout', async ({
  page,
  world,
  account,
}) => {
  await page.goto('/stripe-checkout');
  await expect(page).toHaveURL('/login');
  await signIn(page, account);
  await expect(page).toHaveURL('/stripe-checkout');
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
  await expect(page.getByText("You're upgrading to Plus")).toBeVisible();
  await cardForm(page).getByLabel('Card number').waitFor();
  await page.getByRole('link', { name: 'Cancel', exact: true }).click();
  await expect(page).toHaveURL('/pricing');
  await page.goto('/checkout');
  await cardForm(page).getByLabel('Card number').waitFor();
  const { billing_customer_id: customer = '' } = (await world.rowOf(account.id)) ?? {};
  expect((await world.stripe.checkout.sessions.list({ customer })).data).toHaveLength(1);
});

test.describe('/return', () => {
  test('says that there is no session, and leads from an unpaid session back to the checkout', async ({
    page,
    world,
    account,
  }) => {
    await page.goto('/return');
    await expect(page.getByText('No session ID found')).toBeVisible();
    await expect(page).toHaveURL('/return');
    await expect(page.getByRole('link', { name: 'Return to Pricing' })).toBeVisible();

    await openDashboard(page, account, world);
    await page.goto('/checkout');
    await cardForm(page).getByLabel('Card number').waitFor();
    const session = String((await world.rowOf(account.id))?.checkout_session_id);
    await page.goto(`/return?session_id=${session}`);
    await expect(page.getByRole('heading', { name: 'Payment Pending' })).toBeVisible();
    await page.getByRole('link', { name: 'Return to Checkout' }).click();
    await expect(page).toHaveURL('/checkout');
  });

  test('waits two seconds for a user, and then offers to sign in and come back', async ({
    page,
    account,
  }) => {
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.goto('/return?session_id=cs_test_unknown');
    const failure = page.getByText('Failed to fetch session status');
    // For a moment the page's own spinner is beside the shell's, which is hidden by then.
    const loading = page.getByRole('main').getByText('Loading', { exact: true });
    await expect(loading.filter({ visible: true }).first()).toBeVisible();
    // The two seconds begin once the page's script has loaded.
    let waited = 0;
    await expect(async () => {
      await page.clock.runFor(500);
      waited += 500;
      await expect(failure).toBeVisible({ timeout: 100 });
    }).toPass();
    expect(waited).toBeGreaterThanOrEqual(2_000);
    await expect(page.getByRole('link', { name: 'Return to Pricing' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await expect(page).toHaveURL('/login');
    await page.clock.resume();
    await signIn(page, account);
    await expect(page).toHaveURL('/checkout/return?session_id=cs_test_unknown');
  });

  test('shows the payment as soon as its user signs in in another tab', async ({
    page,
    world,
    account,
    context,
  }) => {
    await buyPlus(world, account, { accessToken: (await tokensOf(world, account)).access });
    const session = String((await world.rowOf(account.id))?.checkout_session_id);
    await page.goto(`/return?session_id=${session}`);
    const other = await context.newPage();
    await other.goto('/login');
    await signIn(other, account);
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
});
