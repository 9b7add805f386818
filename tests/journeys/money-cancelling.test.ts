import type { Page, Route } from 'playwright/test';
import type { World } from '../fixtures/worlds/world.ts';
import { CARDS, expect, openDashboard, openDashboardOnPlus, test } from '../fixtures/browser/journey.ts';
import { mainOffer } from '../../schemas/product/offers.ts';
import { PRICE_WITH_CENTS } from '../fixtures/fakes/main-offer.ts';
import type { Account } from '../fixtures/worlds/account.ts';

const plus = (page: Page) => page.getByRole('region', { name: 'Plus' });
const listedInvoices = (page: Page) =>
  page.getByRole('region', { name: 'Invoices and receipts' }).getByRole('listitem');
const yes = (page: Page) => page.getByRole('button', { name: 'Yes, Cancel My Subscription' });
const cancelled = (page: Page) => page.getByRole('heading', { name: 'Subscription Cancelled' });

async function subscriptionOf(world: World, account: Account): Promise<string> {
  return String((await world.rowOf(account.id))?.stripe_subscription_id);
}

/** Lets the server handle a request, and drops its answer. */
async function loseTheAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

/** Moves the clock to half an hour after the renewal. Stripe takes the payment an hour after the renewal. */
async function renewAndStopBeforePayment(world: World, account: Account): Promise<void> {
  const subscription = await world.stripe.subscriptions.retrieve(await subscriptionOf(world, account));
  const [item] = subscription.items.data;
  if (!item) throw new Error('The subscription has no item.');
  await world.advance(`PT${item.current_period_end - item.current_period_start + 30 * 60}S`);
  const renewed = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
  expect([renewed.status, renewed.latest_invoice]).toMatchObject(['active', { status: 'draft' }]);
}

async function cancel(page: Page): Promise<void> {
  await page.goto('/cancel');
  await yes(page).click();
  await cancelled(page).waitFor();
}

test.describe('cancelling', () => {
  test('and renewing in two tabs, after an unread invoice, a lost answer and an end that was set at Stripe, say the same in both and keep one subscription, and lead to the checkout once it has ended', async ({
    page,
    world,
    account,
    context,
  }) => {
    await openDashboardOnPlus(page, account, world);
    const subscription = await subscriptionOf(world, account);
    const other = await context.newPage();
    await other.goto('/cancel');
    await yes(other).waitFor();

    await page.route('**/api/billing', (route) => route.abort());
    await page.goto('/cancel');
    await expect(page.getByText('If a payment is due, Plus ends at once')).toBeVisible();
    await page.unroute('**/api/billing');
    await page.route('**/api/cancel-subscription', loseTheAnswer, { times: 1 });
    await yes(page).click();
    await expect(page.getByRole('alert')).toHaveText('Subscription cancellation failed');
    await yes(page).click();
    await expect(cancelled(page)).toBeVisible();

    await yes(other).click();
    await expect(cancelled(other)).toBeVisible();
    const until = page.getByRole('main').getByRole('time');
    await expect(other.getByRole('main').getByRole('time')).toHaveText(await until.innerText());
    expect((await world.rowOf(account.id))?.plan).toBe('plus');
    await other.goto('/cancel');
    await expect(cancelled(other)).toBeVisible();
    await expect(other.getByText('Until then you can renew')).toBeVisible();

    for (const tab of [page, other]) await tab.goto('/pricing');
    for (const tab of [page, other]) await expect(plus(tab)).toContainText('Expires Soon');
    for (const tab of [page, other]) {
      await plus(tab).getByRole('button', { name: 'Renew Plan' }).click();
      await expect(plus(tab)).toContainText('Current Plan');
      await expect(tab).toHaveURL('/pricing');
    }
    await other.close();

    const { items } = await world.stripe.subscriptions.retrieve(subscription);
    const end = items.data[0]?.current_period_end ?? 0;
    // Stripe's billing portal sets a date and no flag.
    await world.stripe.subscriptions.update(subscription, { cancel_at: end });
    await expect.poll(async () => (await world.rowOf(account.id))?.plan_expires_at).toBeDefined();
    await page.goto('/pricing');
    const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(end * 1000);
    await expect(plus(page)).toContainText('Expires Soon');
    await expect(plus(page)).toContainText(date);
    await expect(page.getByRole('region', { name: 'Free' })).toContainText(
      `Your plan will switch to Free on ${date}.`,
    );
    await plus(page).getByRole('button', { name: 'Renew Plan' }).click();
    await expect(plus(page)).toContainText('Current Plan');
    const lifted = await world.stripe.subscriptions.retrieve(subscription);
    expect([lifted.cancel_at, lifted.cancel_at_period_end]).toEqual([null, false]);
    expect(await subscriptionOf(world, account)).toBe(subscription);
    const customer = String((await world.rowOf(account.id))?.billing_customer_id);
    expect((await world.stripe.invoices.list({ customer })).data).toHaveLength(1);

    await cancel(page);
    await page.goto('/pricing');
    const renew = plus(page).getByRole('button', { name: 'Renew Plan' });
    // The badge comes with the plan, the button with the subscription.
    await expect(renew).toBeVisible();
    await world.stripe.subscriptions.cancel(subscription);
    await renew.click();
    await expect(page).toHaveURL('/checkout?plan=plus');
    await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
  });

  test('while a payment is due ends Plus at once, and says so, even when the first answer was lost', async ({
    page,
    world,
    account,
  }) => {
    await openDashboardOnPlus(page, account, world, CARDS.failsAtRenewal);
    await world.advance('P32D');
    await page.route('**/api/cancel-subscription', loseTheAnswer, { times: 1 });
    await page.goto('/cancel');
    await expect(page.getByText('A payment is due, so Plus ends at once.')).toBeVisible();
    await yes(page).click();
    await expect(page.getByRole('alert')).toHaveText('Subscription cancellation failed');
    await yes(page).click();
    await expect(cancelled(page)).toBeVisible();
    await expect(page.getByText('Plus has ended.')).toBeVisible();
    await expect(page.getByText("you won't be charged again")).toBeVisible();
    await expect(page.getByText('renew')).toBeHidden();
    await page.getByRole('link', { name: 'See Your Plan' }).click();
    await expect(plus(page).getByRole('link', { name: 'Upgrade to Plus' })).toBeVisible();
    expect((await world.rowOf(account.id))?.plan).toBe('free');
    await world.advance('P40D');
    const customer = String((await world.rowOf(account.id))?.billing_customer_id);
    const invoices = await world.stripe.invoices.list({ customer });
    expect(invoices.data.map(({ status }) => status)).toEqual(['void', 'paid']);
  });
});

test('Free has nothing to cancel, and a complimentary plan no subscription: it is bought to be renewed, and says so before', async ({
  page,
  account,
  world,
}) => {
  await openDashboard(page, account, world);
  await page.goto('/cancel');
  await expect(page.getByText('No active subscription found')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  let given: Record<string, unknown> = { plan: 'plus' };
  await page.route('**/api/plan', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...given } });
  });
  await page.route('**/api/cancel-subscription', (route) =>
    route.fulfill({ json: { success: true, current_period_end: 1_767_225_599.999 } }),
  );
  await page.reload();
  await expect(page.getByText('until the end of this month')).toBeVisible();
  const sent = page.waitForRequest('**/api/cancel-subscription');
  await yes(page).click();
  expect((await sent).postDataJSON()).toEqual({ subscription_id: null });
  await expect(cancelled(page)).toBeVisible();
  await expect(page.getByText('renew')).toBeHidden();
  await expect(page.getByText('Your Plus was complimentary.')).toBeVisible();

  const on = '2090-01-31T23:59:59.999Z';
  given = { plan: 'plus', planExpiresAt: on };
  const standing = { kind: 'ends', plan: 'plus', on, renewal: 'purchase' };
  await page.route('**/api/billing', (route) =>
    route.fulfill({ json: { standing, paymentMethod: null, invoices: [] } }),
  );
  await page.goto('/pricing');
  await expect(plus(page)).toContainText('Your Plus plan expires on January 31, 2090.');
  await expect(plus(page)).toContainText(
    `To keep Plus, subscribe for ${mainOffer.price} ${mainOffer.period}.`,
  );
  await plus(page).getByRole('link', { name: 'Renew Plan' }).click();
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
});

test('the hour after a renewal shows Plus and the payments so far, until the new payment is taken, and says that Plus ends at once if it is cancelled', async ({
  page,
  world,
  account,
}) => {
  await openDashboardOnPlus(page, account, world);
  await renewAndStopBeforePayment(world, account);
  await page.goto('/dashboard');
  await expect(page.getByRole('region', { name: 'Your plan' })).toContainText(
    `The payment of ${PRICE_WITH_CENTS} for the new month will be taken within the hour.`,
  );
  await expect(listedInvoices(page)).toHaveCount(1);
  await expect(page.getByText(/Your last payment .*didn't go through/)).toBeHidden();
  await page.goto('/pricing');
  await expect(plus(page)).toContainText('Current Plan');
  await expect(plus(page).getByRole('link', { name: 'Cancel Subscription' })).toBeVisible();

  await page.goto('/cancel');
  await expect(page.getByText('A payment is due, so Plus ends at once.')).toBeVisible();

  await world.advance('PT2H');
  await page.goto('/dashboard');
  await expect(listedInvoices(page).filter({ hasText: 'Paid' })).toHaveCount(2);
  expect((await world.rowOf(account.id))?.plan).toBe('plus');
});
