import { expect, errorsOf, test } from '../fixtures/journey.ts';

test('the walkthrough shows every step in a picture with a description', async ({ page }) => {
  await page.goto('/demo');
  await expect(page.getByRole('heading', { name: 'Complete Product Walkthrough' })).toBeVisible();
  const pictures = page.getByRole('img');
  await expect(pictures).toHaveCount(7);
  await expect(pictures.first()).toHaveAccessibleName('A letter with one long sentence highlighted.');
  await expect(page.locator('main').getByRole('heading', { level: 2 })).toHaveCount(8);
});

test('the walkthrough begins at its top, after a reload too', async ({ page }) => {
  await page.goto('/demo');
  await page.getByRole('heading', { name: 'Now with your own words' }).scrollIntoViewIfNeeded();
  await page.reload();
  await expect.poll(() => page.evaluate('scrollY')).toBe(0);
});

test('leaving the walkthrough causes no error in a browser whose scrollTo returns a Promise', async ({
  page,
}) => {
  // Chromium does so from 156 on.
  await page.addInitScript(`
    const scroll = window.scrollTo.bind(window);
    window.scrollTo = async (...to) => scroll(...to);
  `);
  const faults = errorsOf(page);
  await page.goto('/demo');
  // Before hydration the browser follows the link itself. This is about the router.
  await expect.poll(() => page.evaluate('window.earlyClick === undefined')).toBe(true);
  await page.getByRole('link', { name: 'Getting Started' }).click();
  await expect(page).toHaveURL('/help');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(faults).toEqual([]);
});

test('the walkthrough loads nothing from another host', async ({ page, baseURL }) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseURL}/`)) elsewhere.push(request.url());
  });
  await page.goto('/demo');
  await page.waitForLoadState('networkidle');
  expect(elsewhere).toEqual([]);
});
