import type { Page } from 'playwright/test';
import { refusals } from '../../schemas/refusal.ts';
import {
  expect,
  leadToSettings,
  openDashboard,
  openDashboardOnPlus,
  test,
} from '../fixtures/browser/journey.ts';

type Code = 'busy' | 'stripe-unavailable';
const SENTENCE = refusals['stripe-unavailable'].sentence;

/**
 * Lets the API refuse every request of a route. A busy account is asked again at once, so that no journey
 * waits. The returned function counts the requests.
 */
async function refuse(page: Page, route: string, code: Code): Promise<() => number> {
  const { status, sentence, retryAfter } = refusals[code];
  let requests = 0;
  await page.route(`**/api/${route}`, async (request) => {
    requests += 1;
    await request.fulfill({
      status,
      headers: { 'retry-after': code === 'busy' ? '0' : String(retryAfter) },
      json: { error: sentence, code },
    });
  });
  return () => requests;
}

const sentence = (page: Page, code: Code) => page.getByText(refusals[code].sentence);

test('a busy account is asked three times, and then shows the sentence where a plan is cancelled and renewed, and an unread plan leads to no checkout', async ({
  page,
  account,
  world,
}) => {
  await openDashboardOnPlus(page, account, world);
  const cancellations = await refuse(page, 'cancel-subscription', 'busy');
  await page.goto('/cancel');
  const yes = page.getByRole('button', { name: 'Yes, Cancel My Subscription' });
  await yes.click();
  await expect(sentence(page, 'busy')).toBeVisible();
  await expect(yes).toBeEnabled();
  expect(cancellations()).toBe(3);

  await page.unroute('**/api/cancel-subscription');
  await yes.click();
  await page.getByRole('link', { name: 'See Your Plan' }).click();
  const renewals = await refuse(page, 'renew-subscription', 'busy');
  const renew = page.getByRole('button', { name: 'Renew Plan' });
  await renew.click();
  await expect(sentence(page, 'busy')).toBeVisible();
  await expect(renew).toBeEnabled();
  expect(renewals()).toBe(3);

  await page.unroute('**/api/renew-subscription');
  await page.route('**/api/renew-subscription', (route) =>
    route.fulfill({
      status: refusals['nothing-to-renew'].status,
      json: { error: refusals['nothing-to-renew'].sentence, code: 'nothing-to-renew' },
    }),
  );
  await refuse(page, 'plan', 'stripe-unavailable');
  await renew.click();
  await expect(sentence(page, 'stripe-unavailable')).toBeVisible();
  await expect(page).toHaveURL('/pricing');
});

test('an API that cannot reach Stripe shows the sentence at the checkout and on the dashboard, at the plan, the invoices and the deletion, and offers no plan', async ({
  page,
  account,
  world,
}) => {
  await openDashboard(page, account, world);
  await refuse(page, 'create-checkout-session', 'stripe-unavailable');
  await page.goto('/checkout');
  await expect(page.getByText('Failed to create checkout session')).toBeVisible();
  await expect(sentence(page, 'stripe-unavailable')).toBeVisible();

  await refuse(page, 'plan', 'stripe-unavailable');
  await refuse(page, 'billing', 'stripe-unavailable');
  await refuse(page, 'delete-account', 'stripe-unavailable');
  await page.goto('/dashboard');
  await expect(page.getByText("We couldn't load your plan just now")).toContainText(SENTENCE);
  // A user on Plus must not be asked to buy Plus.
  await expect(page.getByText("We couldn't load your plan just now.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Upgrade to Plus' })).toHaveCount(0);
  const invoices = page.getByRole('region', { name: 'Invoices and receipts' });
  await expect(invoices.getByRole('alert')).toContainText(SENTENCE);
  await leadToSettings(page);
  await page.getByRole('button', { name: 'Delete My Account...' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(account.password);
  await dialog.getByRole('button', { name: 'Delete My Account' }).click();
  await expect(dialog.getByRole('alert')).toContainText(SENTENCE);

  await page.goto('/pricing');
  await expect(sentence(page, 'stripe-unavailable')).toBeVisible();
  await expect(page.getByText('Current Plan', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('link', { name: /Plus/ })).toHaveCount(0);
});
