import { expect, applicationStarted, test } from '../fixtures/browser/journey.ts';

const documents = [
  { path: '/terms', title: 'Terms of Service', sections: 18 },
  { path: '/privacy', title: 'Privacy Policy', sections: 20 },
] as const;

for (const { path, title, sections } of documents) {
  test(`${path} has its ${sections} numbered sections, its date and its version`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText('Effective July 1, 2025')).toBeVisible();
    await expect(page.getByText('Version 1.0')).toBeVisible();
    const numbers = await page.locator('main section h2').allInnerTexts();
    expect(numbers.map((text) => Number.parseInt(text, 10))).toEqual(
      Array.from({ length: sections }, (_, index) => index + 1),
    );
  });

  test(`the table of contents of ${path} marks the section in view`, async ({ page }) => {
    await page.goto(path);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await expect(contents.getByRole('link')).toHaveCount(sections);
    await expect(contents.locator('[aria-current]')).toHaveCount(0);
    await page.evaluate('document.querySelectorAll("main section")[6].scrollIntoView()');
    await expect(contents.locator('[aria-current]')).toHaveText(/^7\./);
    await page.keyboard.press('End');
    await expect(contents.locator('[aria-current]')).toHaveText(new RegExp(`^${sections}\\.`));
  });

  test(`an entry in the table of contents of ${path} leads to its section`, async ({ page }) => {
    await page.goto(path);
    const link = page.getByRole('navigation', { name: 'Contents' }).getByRole('link').nth(10);
    await link.click();
    await expect(page).toHaveURL(/#[\w-]+$/);
    await expect(link).toHaveAttribute('aria-current', 'location');
    await expect(page.locator('main section').nth(10)).toBeInViewport();
  });
}

test('in a narrow window the contents fold into a line with the section in view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/terms');
  // Before hydration the link works without closing the contents, so this waits for the script.
  await applicationStarted(page);
  const fold = page.locator('summary', { hasText: 'Contents' });
  await fold.click();
  await page.getByRole('link', { name: '13. Refunds' }).click();
  await expect(page.getByRole('link', { name: '13. Refunds' })).toBeHidden();
  await expect(fold).toContainText('13. Refunds');
});

test('an address with a section’s hash opens at the section', async ({ page }) => {
  await page.goto('/terms#refunds');
  await expect(page.getByRole('heading', { name: '13. Refunds' })).toBeInViewport();
});

test('the terms and the policy link to each other without a page load', async ({ page }) => {
  await page.goto('/terms');
  await applicationStarted(page);
  await page.evaluate('document.querySelectorAll("main section")[3].scrollIntoView()');
  await expect(page.locator('aside [aria-current]')).toHaveCount(1);
  let count = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) count += 1;
  });
  await page.locator('main').getByRole('link', { name: 'Privacy Policy' }).first().click();
  await expect(page).toHaveURL('/privacy');
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  await page.locator('main').getByRole('link', { name: 'Terms of Service' }).last().click();
  await expect(page).toHaveURL('/terms#disputes');
  await expect(page.getByRole('heading', { name: '17. Disputes' })).toBeInViewport();
  expect(count).toBe(0);
});
