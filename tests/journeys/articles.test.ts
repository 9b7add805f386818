import { product } from '../../schemas/product/product.ts';
import { expect, test } from '../fixtures/browser/journey.ts';

test('an unlisted article has its address; the list narrows, and leads to one', async ({ page }) => {
  const texts: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/assets\/\d+-/.test(pathname)) texts.push(pathname);
  });
  await page.goto('/articles/6');
  await expect(page.getByRole('article')).toContainText(`The ${product.name} team`);
  await expect(page.getByRole('article').getByRole('heading', { level: 2 }).first()).toBeVisible();
  await expect(page.getByText('Read next: What happens to the text you highlight')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Articles' }).focus();
  await expect.poll(() => texts).toEqual([expect.stringMatching(/^\/assets\/6-/)]);

  await page.goto('/articles');
  const cards = page.locator('main li').getByRole('link');
  await expect(cards).toHaveCount(2);
  await expect(cards.nth(0)).toHaveAttribute('href', '/articles/4');
  await expect(cards.nth(1)).toHaveAttribute('href', '/articles/1');

  const filters = page.getByRole('group', { name: 'Category' });
  await expect(filters.getByRole('button')).toHaveText([
    'All',
    'Company',
    'Product',
    'Privacy & Security',
    'Community',
  ]);
  await expect(filters.getByRole('button', { pressed: true })).toHaveText('All');
  await filters.getByRole('button', { name: 'Privacy & Security' }).click();
  await expect(filters.getByRole('button', { pressed: true })).toHaveText('Privacy & Security');
  await expect(cards).toHaveText(['What happens to the text you highlight']);
  await filters.getByRole('button', { name: 'Community' }).click();
  await expect(page.getByText('No articles are listed under Community yet.')).toBeVisible();
  await filters.getByRole('button', { name: 'All' }).click();
  await expect(cards).toHaveCount(2);

  await page.getByRole('button', { name: 'Company' }).click();
  await expect(cards).toHaveCount(1);
  const title = await cards.innerText();
  await cards.click();
  await expect(page).toHaveURL('/articles/1');
  await expect(page).toHaveTitle(`${title} · ${product.name}`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused();
  await expect(page.getByText('You have probably received the letter we mean.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Articles' }).click();
  await expect(page).toHaveURL('/articles');

  const response = await page.goto('/articles/99');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Article Not Found' })).toBeVisible();
  await expect(page.getByText("Sorry, we couldn't find the article you're looking for.")).toBeVisible();
  await page.getByRole('link', { name: 'Back to Articles' }).click();
  await expect(page).toHaveURL('/articles');
});
