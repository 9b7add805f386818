import { expect, test } from '../fixtures/browser/journey.ts';

test('listed articles lead to their text and back', async ({ page }) => {
  await page.goto('/articles');
  const cards = page.locator('main li').getByRole('link');
  await expect(cards).toHaveCount(2);
  await expect(cards.nth(0)).toHaveAttribute('href', '/articles/4');
  await expect(cards.nth(1)).toHaveAttribute('href', '/articles/1');
  // Before hydration the browser follows the link itself and loads a new document. This test is about the
  // router, so it waits for hydration.
  await page.getByRole('button', { name: 'Company' }).click();
  await expect(cards).toHaveCount(1);
  const title = await cards.innerText();
  await cards.click();
  await expect(page).toHaveURL('/articles/1');
  await expect(page).toHaveTitle(`${title} · Selfsame`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused();
  await expect(page.getByText('You have probably received the letter we mean.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Articles' }).click();
  await expect(page).toHaveURL('/articles');
});

test('a category shows its own articles alone, and says when it has none', async ({ page }) => {
  await page.goto('/articles');
  const filters = page.getByRole('group', { name: 'Category' });
  await expect(filters.getByRole('button')).toHaveText([
    'All',
    'Company',
    'Product',
    'Privacy & Security',
    'Community',
  ]);
  await expect(filters.getByRole('button', { pressed: true })).toHaveText('All');
  const cards = page.locator('main li').getByRole('link');
  await filters.getByRole('button', { name: 'Privacy & Security' }).click();
  await expect(filters.getByRole('button', { pressed: true })).toHaveText('Privacy & Security');
  await expect(cards).toHaveText(['What happens to the text you highlight']);
  await filters.getByRole('button', { name: 'Community' }).click();
  await expect(page.getByText('Nothing has been written under Community yet.')).toBeVisible();
  await filters.getByRole('button', { name: 'All' }).click();
  await expect(cards).toHaveCount(2);
});

for (const id of [1, 4, 6]) {
  test(`article ${id} can be read by its address, and keeps the menu’s Articles marked`, async ({ page }) => {
    await page.goto(`/articles/${id}`);
    await expect(page.getByRole('article')).toContainText('The Selfsame team');
    await expect(page.getByRole('article').getByRole('heading', { level: 2 }).first()).toBeVisible();
    await expect(
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Articles' }),
    ).toHaveAttribute('aria-current', 'page');
  });
}

test('an unknown article is not found', async ({ page }) => {
  // Before the script runs, the server's page says so too.
  await page.route('**/assets/*.js', (route) => route.abort());
  const response = await page.goto('/articles/99');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Article Not Found' })).toBeVisible();
  await page.unroute('**/assets/*.js');
  await page.goto('/articles/99');
  await expect(page.getByRole('heading', { name: 'Article Not Found' })).toBeVisible();
  await expect(page.getByText("Sorry, we couldn't find the article you're looking for.")).toBeVisible();
  await page.getByRole('link', { name: 'Back to Articles' }).click();
  await expect(page).toHaveURL('/articles');
});

test('reading an article loads no other article’s text', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto('/articles/4');
  await page.getByRole('link', { name: 'Back to Articles' }).hover();
  await expect.poll(() => fetched.filter((path) => /^\/assets\/\d+-/.test(path)).length).toBe(1);
  expect(fetched.find((path) => /^\/assets\/\d+-/.test(path))).toMatch(/^\/assets\/4-/);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('an article can be read', async ({ page }) => {
    await page.goto('/articles');
    await page.getByRole('link', { name: 'What happens to the text you highlight' }).click();
    await expect(page).toHaveURL('/articles/4');
    await expect(page.getByText('Nothing begins before you begin it.')).toBeVisible();
  });
});
