import type { Page } from 'playwright/test';
import type { World } from '../fixtures/worlds/world.ts';
import { expect, loseTheAnswer, signInByStorage, signInOnPlus, test } from '../fixtures/browser/journey.ts';
import { mainOffer } from '../../schemas/product/offers.ts';
import { PRICE_WITH_CENTS } from '../fixtures/fakes/main-offer.ts';
import type { Account } from '../fixtures/worlds/account.ts';

const plus = (page: Page) => page.getByRole('region', { name: 'Plus' });
const yes = (page: Page) => page.getByRole('button', { name: 'Yes, Cancel My Subscription' });
const cancelled = (page: Page) => page.getByRole('heading', { name: 'Subscription Cancelled' });

async function subscriptionOf(world: World, account: Account): Promise<string> {
  return String((await world.rowOf(account.id))?.stripe_subscription_id);
}

async function cancel(page: Page): Promise<void> {
  await page.goto('/cancel');
  await yes(page).click();
  await cancelled(page).waitFor();
}

test.describe('cancelling', () => {
  test('and renewing in two tabs keep one subscription', async ({ page, world, account, context }) => {
    await signInOnPlus(page, account, world);
    const subscription = await subscriptionOf(world, account);
    const other = await context.newPage();
    await other.goto('/cancel');
    await yes(other).waitFor();

    await page.route('**/api/billing', (route) => route.abort());
    await page.goto('/cancel');
    await expect(page.getByText('If a payment is due, Plus ends at once')).toBeVisible();
    await page.unroute('**/api/billing');
    await page.getByRole('link', { name: 'No, Keep My Subscription' }).click();
    await expect(page.getByText(`Next charge: ${PRICE_WITH_CENTS} on`)).toBeVisible();
    await plus(page).getByRole('link', { name: 'Cancel Subscription' }).click();
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

    await other.goto('/dashboard');
    await expect(other.getByText('then Free.')).toBeVisible();
    await page.goto('/pricing');
    await expect(plus(page)).toContainText('Expires Soon');
    await plus(page).getByRole('button', { name: 'Renew Plan' }).click();
    await expect(plus(page)).toContainText('Current Plan');
    await other.getByRole('button', { name: 'Renew Plan' }).click();
    for (const tab of [page, other]) {
      await expect(tab.getByText(`Next charge: ${PRICE_WITH_CENTS} on`)).toBeVisible();
    }
    await other.close();

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
});

test('Free has nothing to cancel, a complimentary plan no renewal', async ({ page, account, world }) => {
  await signInByStorage(page, account, world);
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
  const standing = { kind: 'ends', plan: 'plus', on, renewal: 'purchase', charges: [] };
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
  // The page still reads the plan.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
