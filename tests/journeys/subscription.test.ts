import {
  CARDS,
  expect,
  greeting,
  mailedLink,
  openDashboard,
  pay,
  returnTo,
  signUp,
  test,
} from '../fixtures/browser/journey.ts';
import { tokensOf } from '../fixtures/worlds/access-token.ts';
import { buyPlus } from '../fixtures/worlds/account.ts';

test('a visitor signs up, buys Plus, cancels, and falls back to Free', async ({ page, world }) => {
  const email = `grace.${Date.now()}@example.com`;
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started' }).first().click();
  await signUp(page, { name: 'Grace Hopper', email, password: 'correct horse' });
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  const link = await mailedLink(world, email, '/email-confirmation');
  await page.goto(link);
  await expect(page).toHaveURL(link.replace(/#.*/, ''));
  await page.reload();
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(greeting(page, 'Grace Hopper')).toBeVisible();

  await page.getByRole('link', { name: 'Upgrade to Plus' }).click();
  await page.getByRole('region', { name: 'Plus' }).getByRole('link', { name: 'Upgrade to Plus' }).click();
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await pay(page, CARDS.pays);
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();

  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page.getByRole('region', { name: 'Your plan' })).toContainText('Unlimited AI requests');
  await page.getByRole('link', { name: 'Manage Subscription' }).click();
  await expect(page.getByText('Current Plan')).toBeVisible();
  await page.getByRole('link', { name: 'Cancel Subscription' }).click();
  await page.getByRole('button', { name: 'Yes, Cancel My Subscription' }).click();
  await expect(page.getByRole('heading', { name: 'Subscription Cancelled' })).toBeVisible();

  const rows = await world.get<{ id: string; stripe_customer_id?: string }[]>('/__local/tables/UserPlans');
  const customers = await world.stripe.customers.list({ email });
  const customer = String(customers.data[0]?.id);
  const userId = String(rows.find((row) => row.stripe_customer_id === customer)?.id);
  const cancelled = await world.rowOf(userId);
  expect(cancelled).toMatchObject({ plan: 'plus', stripe_customer_id: customer });
  expect(cancelled).not.toHaveProperty('stripe_subscription_id');
  expect(cancelled?.plan_expires_at).toBeDefined();

  await world.advance('P40D');

  const freed = await world.rowOf(userId);
  expect(freed?.plan).toBe('free');
  for (const field of ['plan_expires_at', 'stripe_subscription_id', 'stripe_customer_id', 'expiry_shard']) {
    expect(freed).not.toHaveProperty(field);
  }
  const subscriptions = await world.stripe.subscriptions.list({ customer, status: 'all' });
  expect(subscriptions.data.map(({ status }) => status)).toEqual(['canceled']);
  // The browser's access token is forty days old, and is refused at the next call.
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: 'Upgrade to Plus' })).toBeVisible();
});

test.describe('on pages that the browser translates', () => {
  test.use({ translated: true });

  test('an open tab follows the plan, and keeps it while offline, as it keeps the session', async ({
    page,
    account,
    world,
  }) => {
    await page.clock.install();
    await openDashboard(page, account, world);
    const plan = page.getByRole('region', { name: 'Your plan' });
    await expect(plan).toContainText("You're not being charged.");
    await buyPlus(world, account, { accessToken: (await tokensOf(world, account)).access });
    await returnTo(page);
    await expect(plan).toContainText('Next charge');

    await page.context().setOffline(true);
    const failed = page.waitForEvent('requestfailed');
    await returnTo(page);
    await failed;
    // The access token runs out, and can't be renewed.
    await page.clock.fastForward('20:00');
    await expect(greeting(page, account.name)).toBeVisible();
    await page.context().setOffline(false);
    await expect(plan).toContainText('Next charge');
    await expect(page.getByText("We couldn't load")).toHaveCount(0);

    const other = await page.context().newPage();
    await other.goto('/cancel');
    await other.getByRole('button', { name: 'Yes, Cancel My Subscription' }).click();
    await expect(other.getByRole('heading', { name: 'Subscription Cancelled' })).toBeVisible();
    await returnTo(page);
    await expect(plan).toContainText('then Free.');

    await other.route('**/api/plan', (route) => route.fulfill({ status: 500 }), { times: 1 });
    await other.goto('/pricing');
    await other.getByRole('button', { name: 'Try Again' }).click();
    await other.getByRole('button', { name: 'Renew Plan' }).click();
    await expect(other.getByText('Next charge')).toBeVisible();
    await expect(other.getByText('Expires Soon')).toBeHidden();
    await returnTo(page);
    await expect(plan).toContainText('Next charge');
  });
});
