import { expect, test } from '../fixtures/browser/journey.ts';

test('the values page names its three values with their promises', async ({ page }) => {
  await page.goto('/why-selfsame');
  await expect(page.getByRole('heading', { level: 1, name: 'Our Values' })).toBeVisible();
  await expect(page.locator('main').getByRole('heading', { level: 2 })).toHaveText([
    'Transparency',
    'Care',
    'Human First',
    'What becomes of your text',
    'Who is behind Selfsame',
    'You’ll find out the rest by using it',
  ]);
  await expect(page.getByText('Personal data is not sold.')).toBeVisible();
  await page.getByRole('link', { name: 'Read the Privacy Policy' }).click();
  await expect(page).toHaveURL('/privacy');
});
