import {
  CARDS,
  expect,
  greeting,
  mailedLink,
  openDashboard,
  openDashboardOnPlus,
  pay,
  returnTo,
  signInByStorage,
  signUp,
  test,
} from '../fixtures/browser/journey.ts';
import { product } from '../../schemas/product/product.ts';
import { tokensOf } from '../fixtures/worlds/access-token.ts';
import { buyPlus, createAccount } from '../fixtures/worlds/account.ts';
import { PRICE, PRICE_WITH_CENTS } from '../fixtures/fakes/main-offer.ts';

test('a visitor signs up, confirms by mail, buys Plus, cancels, and falls back to Free at the end of the period', async ({
  page,
  world,
}) => {
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
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(greeting(page, 'Grace Hopper')).toBeVisible();

  await page.getByRole('link', { name: 'Upgrade to Plus' }).click();
  await page.getByRole('link', { name: 'Upgrade to Plus' }).click();
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

test('a plan can’t be bought twice, and once cancelled says when it ends, and is renewed free of charge until then', async ({
  page,
  world,
  account,
}) => {
  await openDashboardOnPlus(page, account, world);
  await page.goto('/checkout');
  await expect(page.getByRole('heading', { name: "You're on Plus." })).toBeVisible();
  await expect(page).toHaveTitle(`You're on Plus · ${product.name}`);
  await page.goto('/cancel');
  await expect(page.getByRole('heading', { name: 'Confirm Cancellation' })).toBeVisible();
  const periodEnd = await page.getByRole('main').getByRole('time').innerText();
  await expect(page.getByRole('main')).toContainText(`You keep Plus until ${periodEnd}.`);
  await expect(page.getByRole('main')).toContainText("You won't be charged again");
  await page.getByRole('link', { name: 'No, Keep My Subscription' }).click();
  await expect(page).toHaveURL('/pricing');
  await expect(page.getByText(`Next charge: ${PRICE_WITH_CENTS} on ${periodEnd}.`)).toBeVisible();
  await page.getByRole('link', { name: 'Cancel Subscription' }).click();
  await page.getByRole('button', { name: 'Yes, Cancel My Subscription' }).click();
  await page.getByRole('link', { name: 'See Your Plan' }).click();

  const end = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(String((await world.rowOf(account.id))?.plan_expires_at)),
  );
  const plus = page.getByRole('region', { name: 'Plus' });
  await expect(plus).toContainText('Expires Soon');
  await expect(plus).toContainText(end);
  await expect(plus).toContainText('Renewing it costs nothing until then.');
  expect(end).toBe(periodEnd);
  await expect(page.getByRole('region', { name: 'Free' })).toContainText(`switch to Free on ${end}`);

  await plus.getByRole('button', { name: 'Renew Plan' }).click();
  await expect(plus).toContainText('Current Plan');
  const row = await world.rowOf(account.id);
  expect(row).not.toHaveProperty('plan_expires_at');
  const paid = async () => {
    const { data } = await world.stripe.invoices.list({ customer: String(row?.stripe_customer_id) });
    return data.map(({ status, amount_paid }) => [status, amount_paid]);
  };
  expect(await paid()).toEqual([['paid', PRICE]]);
  // Stripe takes each payment an hour after the renewal.
  await world.advance('P1MT2H');
  expect(await world.rowOf(account.id)).toMatchObject({
    plan: 'plus',
    stripe_subscription_id: row?.stripe_subscription_id,
  });
  expect(await paid()).toEqual(Array.from({ length: 2 }, () => ['paid', PRICE]));
});

test('an open tab follows a purchase and a cancellation, and keeps its plan while nothing can be read; the return page of that purchase shows another user nothing', async ({
  page,
  account,
  world,
}) => {
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
  await page.context().setOffline(false);
  await expect(plan).toContainText('Next charge');
  await expect(page.getByText("We couldn't load")).toHaveCount(0);

  const other = await page.context().newPage();
  await other.goto('/cancel');
  await other.getByRole('button', { name: 'Yes, Cancel My Subscription' }).click();
  await expect(other.getByRole('heading', { name: 'Subscription Cancelled' })).toBeVisible();
  await returnTo(page);
  await expect(plan).toContainText('then Free.');

  const session = String((await world.rowOf(account.id))?.checkout_session_id);
  const eve = await createAccount(world);
  await signInByStorage(page, eve, world);
  await page.goto('/checkout/return');
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(page.getByText('No session ID found')).toBeVisible();
  await expect(page.getByText('Please try again or contact support if the problem persists.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Return to Pricing' })).toBeVisible();

  await page.goto(`/checkout/return?session_id=${session}`);
  await expect(page.getByText('Failed to fetch session status')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  expect((await world.rowOf(eve.id))?.plan).toBe('free');
});
