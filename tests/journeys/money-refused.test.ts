import type { Page } from 'playwright/test';
import { refusals } from '../../schemas/refusal.ts';
import { expect, leadToSettings, signInByStorage, test } from '../fixtures/browser/journey.ts';
import { buyPlus } from '../fixtures/worlds/account.ts';

type Code = 'busy' | 'stripe-unavailable' | 'nothing-to-renew';

/** Lets the API refuse every request of a route. A busy account is asked again at once, without a wait. */
async function refuse(page: Page, route: string, code: Code): Promise<void> {
  const { status, sentence } = refusals[code];
  await page.unroute(`**/api/${route}`);
  await page.route(`**/api/${route}`, (request) =>
    request.fulfill({ status, headers: { 'retry-after': '0' }, json: { error: sentence, code } }),
  );
}

const sentence = (page: Page, code: Code) => page.getByText(refusals[code].sentence);

test('a refusal has its sentence wherever a user meets Stripe', async ({ page, account, world }) => {
  const accessToken = await signInByStorage(page, account, world);
  await refuse(page, 'create-checkout-session', 'stripe-unavailable');
  await page.goto('/checkout');
  await expect(page.getByText('Failed to create checkout session')).toBeVisible();
  await expect(sentence(page, 'stripe-unavailable')).toBeVisible();

  await buyPlus(world, account, { accessToken });
  for (const route of ['plan', 'billing', 'delete-account']) await refuse(page, route, 'stripe-unavailable');
  await page.goto('/dashboard');
  await expect(page.getByText("We couldn't load your plan just now.")).toContainText(
    refusals['stripe-unavailable'].sentence,
  );
  await expect(page.getByRole('link', { name: 'Upgrade to Plus' })).toHaveCount(0);
  const invoices = page.getByRole('region', { name: 'Invoices and receipts' });
  await expect(invoices.getByRole('alert')).toContainText(refusals['stripe-unavailable'].sentence);
  await leadToSettings(page);
  await page.getByRole('button', { name: 'Delete My Account...' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(account.password);
  await dialog.getByRole('button', { name: 'Delete My Account' }).click();
  await expect(dialog.getByRole('alert')).toContainText(refusals['stripe-unavailable'].sentence);

  await page.goto('/pricing');
  await expect(sentence(page, 'stripe-unavailable')).toBeVisible();
  await expect(page.getByText('Current Plan', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('link', { name: /Plus/ })).toHaveCount(0);

  // An account that is busy.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await refuse(page, 'cancel-subscription', 'busy');
  await page.goto('/cancel');
  const yes = page.getByRole('button', { name: 'Yes, Cancel My Subscription' });
  await yes.click();
  await expect(sentence(page, 'busy')).toBeVisible();
  await expect(yes).toBeEnabled();
  await page.unroute('**/api/cancel-subscription');
  await yes.click();
  await page.getByRole('link', { name: 'See Your Plan' }).click();
  await refuse(page, 'renew-subscription', 'busy');
  const renew = page.getByRole('button', { name: 'Renew Plan' });
  await renew.click();
  await expect(sentence(page, 'busy')).toBeVisible();
  await expect(renew).toBeEnabled();

  // A plan that can't be read leads to no checkout.
  await refuse(page, 'renew-subscription', 'nothing-to-renew');
  await refuse(page, 'plan', 'stripe-unavailable');
  await renew.click();
  await expect(sentence(page, 'stripe-unavailable')).toBeVisible();
  await expect(page).toHaveURL('/pricing');
});
