import { expect, applicationStarted, test } from '../fixtures/browser/journey.ts';

test('the table of contents marks the section in view, and leads to each', async ({ page }) => {
  await page.goto('/terms');
  await expect(page.getByText('Effective July 1, 2025')).toBeVisible();
  await expect(page.getByText('Version 1.0')).toBeVisible();
  const contents = page.getByRole('navigation', { name: 'Contents' });
  const marked = contents.locator('[aria-current]');
  await expect(marked).toHaveCount(0);
  for (const [index, mark] of [
    [6, /^7\./],
    // The last section is too short to reach the top.
    [17, /^18\./],
  ] as const) {
    await page.evaluate(`document.querySelectorAll('main section')[${index}].scrollIntoView()`);
    await expect(marked).toHaveText(mark);
  }
  const link = contents.getByRole('link').nth(10);
  await link.click();
  await expect(page).toHaveURL(/#[\w-]+$/);
  await expect(link).toHaveAttribute('aria-current', 'location');
  await expect(page.locator('main section').nth(10)).toBeInViewport();

  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.locator('main').getByRole('link', { name: 'Privacy Policy' }).first().click();
  await expect(page).toHaveURL('/privacy');
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  await page.locator('main').getByRole('link', { name: 'Terms of Service' }).last().click();
  await expect(page).toHaveURL('/terms#disputes');
  await expect(page.getByRole('heading', { name: '17. Disputes' })).toBeInViewport();
  expect(loads).toBe(0);
});

test('an address with a hash opens there, and narrow contents fold into a line', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/terms#disputes');
  await expect(page.getByRole('heading', { name: '17. Disputes' })).toBeInViewport();
  // Before hydration the link works without closing the contents, so this waits for the script.
  await applicationStarted(page);
  const fold = page.locator('summary', { hasText: 'Contents' });
  await fold.click();
  await page.getByRole('link', { name: '13. Refunds' }).click();
  await expect(page.getByRole('link', { name: '13. Refunds' })).toBeHidden();
  await expect(fold).toContainText('13. Refunds');
  await expect(page.getByRole('heading', { name: '13. Refunds' })).toBeInViewport();
});
