import { product } from '../../schemas/product/product.ts';
import { expect, test } from '../fixtures/browser/journey.ts';

test.use({
  javaScriptEnabled: false,
  viewport: { width: 390, height: 800 },
  contextOptions: { reducedMotion: 'no-preference' },
});

test('without JavaScript, demos, walkthrough and help show all that they have', async ({ page }) => {
  await page.goto('/');
  const features = page.locator('#features');
  await expect(features.getByText('It was very close')).toBeVisible();
  const analysis = features.locator('figure', { hasText: 'Services agreement' });
  await expect(analysis.locator('[data-typing]').last()).toHaveText(/^As written, yes: .* negligence\.$/);
  await expect(features.getByRole('heading', { name: 'In the dark until Friday at nine' })).toBeVisible();
  await expect(features.getByRole('button', { name: 'Pause the demos' })).toHaveCount(0);
  // A narrow window shows the links that the menu would.
  await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
  await expect(page).toHaveURL('/pricing');
  // Every user is a visitor.
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Sign in to Upgrade' }).click();
  await expect(page).toHaveURL('/login?to=%2Fcheckout%3Fplan%3Dplus');
  // Chromium renders noscript only if scripts are off in its settings, not as Playwright disables them.
  expect(await page.locator('noscript').textContent()).toContain('This page needs JavaScript');

  await page.goto('/demo');
  await expect(page.getByRole('img')).toHaveCount(7);
  await expect(page.getByRole('region', { name: 'Walkthrough' })).toBeHidden();

  await page.goto('/help');
  await expect(page.getByText('Highlight something and press Command+G')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Hide the window' })).toBeVisible();
  await expect(page.getByText(`Does ${product.name} work offline?`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Ask about your data' })).toBeVisible();
});
