import type { Locator, Page } from 'playwright/test';
import {
  cardForm,
  CARDS,
  expect,
  holdTimers,
  openDashboard,
  openDashboardOnPlus,
  pay,
  signInByStorage,
  test,
} from '../fixtures/browser/journey.ts';
import { expectAccessible } from '../fixtures/browser/page-checks.ts';
import { PRICE_WITH_CENTS } from '../fixtures/fakes/main-offer.ts';

const invoicesCard = (page: Page): Locator => page.getByRole('region', { name: 'Invoices and receipts' });
const invoices = (page: Page): Locator => invoicesCard(page).getByRole('listitem');
const paymentDue = (page: Page): Locator =>
  page.getByRole('region', { name: /Your last payment .*didn't go through/ });

/** Fills in and submits the card form on a page of Stripe's. */
async function enterCard(page: Page, number: string, button: string | RegExp): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration').fill('12 / 40');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Cardholder name').fill('Ada Lovelace');
  await page.getByRole('button', { name: button }).click();
}

test.describe('invoices and receipts', () => {
  test('are one after double clicks, with its tax, at Stripe', async ({ page, account, context, world }) => {
    await signInByStorage(page, account, world);
    await page.goto('/pricing');
    await page.getByRole('link', { name: 'Upgrade to Plus' }).dblclick();
    await cardForm(page).getByLabel('Country or region').selectOption('Germany');
    await expect(cardForm(page).getByText(/^Includes \$\d+\.\d\d tax\.$/)).toBeVisible();
    await pay(page, CARDS.pays, { clicks: 2 });
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
    const withTax = new RegExp(`^\\${PRICE_WITH_CENTS}, including \\$\\d+\\.\\d\\d tax$`);
    await expect(page.getByText(withTax)).toBeVisible();
    const customer = String((await world.rowOf(account.id))?.billing_customer_id);
    expect((await world.stripe.checkout.sessions.list({ customer })).data).toHaveLength(1);
    expect((await world.stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
    await page.goBack();
    await expect(page.getByRole('heading', { name: "You're on Plus." })).toBeVisible();
    await expect(page.getByText(`Next charge: ${PRICE_WITH_CENTS} on`)).toBeVisible();
    await page.goto('/dashboard');
    await expect(invoices(page)).toHaveCount(1);
    await expect(invoices(page).getByText(withTax)).toBeVisible();
    await expect(invoices(page)).toContainText('Paid');
    await expect(invoices(page).getByRole('time')).toBeVisible();
    await expect(invoices(page).getByRole('link', { name: /^PDF/ })).toHaveAttribute('href', /\/pdf/);
    const link = invoices(page).getByRole('link', { name: /^Receipt/ });
    const opened = context.waitForEvent('page');
    await link.click();
    const tab = await opened;
    await expect(tab.getByText(account.email)).toBeVisible();
    await expect(tab.getByRole('row', { name: /^Tax, included \$/ })).toBeVisible();
    const opener = await tab.evaluate(() => (globalThis as unknown as { opener: unknown }).opener);
    expect(opener).toBeNull();
  });

  test('that can’t be read offer a retry, and hold up no plan', async ({ page, account, world }) => {
    await page.route('**/api/billing', (route) => route.abort());
    await openDashboard(page, account, world);
    const card = invoicesCard(page);
    await expect(card.getByRole('alert')).toContainText("We couldn't load your invoices just now.");
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    await page.unroute('**/api/billing');
    await page.route('**/api/billing', (route) => asked.then(() => route.continue()));
    await card.getByRole('button', { name: 'Try Again' }).click();
    await expect(card).toContainText('Loading your invoices...');
    await expect(card.getByRole('heading')).toBeFocused();
    answer();
    await expect(card).toContainText('No invoices yet.');

    const many = Array.from({ length: 30 }, (_, index) => ({
      number: `A-${30 - index}`,
      date: new Date(Date.UTC(2026, -index)).toISOString(),
      amount: 500,
      currency: 'usd',
      status: 'paid',
      hosted_invoice_url: null,
      invoice_pdf: null,
    }));
    await page.route('**/api/billing', (route) =>
      route.fulfill({
        json: { standing: { kind: 'free', endedAt: null }, paymentMethod: null, invoices: many },
      }),
    );
    await page.reload();
    await expect(invoices(page)).toHaveCount(12);
    await card.getByRole('button', { name: 'Show All 30 Invoices' }).click();
    await expect(invoices(page)).toHaveCount(30);

    await page.unroute('**/api/billing');
    await page.route('**/api/billing', () => {});
    await page.route('**/api/plan', (route) => route.abort(), { times: 2 });
    await page.reload();
    const plan = page.getByRole('region', { name: 'Your plan' });
    const again = plan.getByRole('button', { name: 'Try Again' });
    const secondRead = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/plan'));
    await again.click();
    await secondRead;
    await expect(again).toHaveAttribute('aria-busy', 'false');
    await expect(again).toBeFocused();
    await again.click();
    await expect(plan).toContainText('20 AI requests per day');
    await expect(plan.getByRole('heading')).toBeFocused();
    await expect(invoicesCard(page)).toContainText('Loading your invoices...');

    // The plan waits for them for a second.
    const passSecond = await holdTimers(page, 1_000);
    await page.reload();
    await expect(plan).toContainText('Loading your plan...');
    await passSecond();
    await expect(plan).toContainText('20 AI requests per day');
    await expect(invoicesCard(page)).toContainText('Loading your invoices...');
  });
});

test.describe('a payment that failed at the renewal', () => {
  test('asks for a new card on Stripe’s page, which pays at a retry', async ({ page, world, account }) => {
    await openDashboardOnPlus(page, account, world, CARDS.failsAtRenewal);
    await expect(invoices(page)).toHaveCount(1);
    await expect(paymentDue(page)).toBeHidden();
    await expect(page.getByRole('region', { name: 'Your plan' })).toContainText(
      `Next charge: ${PRICE_WITH_CENTS} on`,
    );
    await expect(page.getByRole('region', { name: 'Your plan' })).toContainText(
      'Visa •••• 0341, expires 12/',
    );

    await page.getByRole('button', { name: 'Invoice Details' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Analytical Engines Ltd');
    await page.getByLabel('Tax ID').fill('US-12-3456789');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL('/dashboard');

    await world.advance('P32D');
    // The notice comes with Stripe's answer, and is above the plan even if that is read first.
    const planRead = page.waitForResponse('**/api/plan');
    await page.route('**/api/billing', (route) => planRead.then(() => route.continue()), { times: 1 });
    await holdTimers(page, 1_000);
    await page.reload();
    await expect(paymentDue(page)).toContainText('You keep Plus while Stripe tries again');
    await expect(page.getByRole('main').getByRole('region').first()).toHaveAccessibleName(
      /Your last payment .*didn't go through/,
    );
    await expect(page.getByRole('region', { name: 'Your plan' })).toContainText('Unlimited AI requests');
    await expect(invoices(page).filter({ hasText: /Due/ })).toHaveCount(1);
    await expect(page.locator('main [data-tone="primary"]')).toHaveText(['Update Card']);
    await expect(paymentDue(page).getByRole('link', { name: 'Pay Invoice' })).toHaveAttribute(
      'href',
      /^http/,
    );

    await expectAccessible(page, 'due');

    await page.route('**/api/billing-portal', (route) => route.abort(), { times: 1 });
    const press = () => paymentDue(page).getByRole('button', { name: 'Update Card' }).click();
    await press();
    await expect(paymentDue(page).getByRole('alert')).toContainText("We couldn't reach the server.");
    await press();
    await enterCard(page, CARDS.pays, 'Save card');
    await expect(page).toHaveURL('/dashboard');
    const newCard = page.getByRole('region', { name: 'Your new card is saved' });
    await expect(newCard).toContainText('You keep Plus while Stripe tries again');
    await page.reload();
    await expect(newCard).toBeVisible();
    // Stripe charges the card at its next retry. Until then the payment is due.
    await world.advance('P5D');
    await page.reload();
    await expect(invoices(page).filter({ hasText: /Paid/ })).toHaveCount(2);
    await expect(paymentDue(page)).toBeHidden();
    await expect(newCard).toBeHidden();
  });
});
