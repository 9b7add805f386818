import { expect, test } from '../fixtures/browser/journey.ts';
import { product } from '../../schemas/product.ts';

test('help opens on Getting Started', async ({ page }) => {
  await page.goto('/help');
  await expect(page.getByRole('tab')).toHaveText(['Getting Started', 'Shortcuts', 'FAQ', 'Contact']);
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Getting Started');
  await expect(page.getByRole('tabpanel')).toContainText('Highlight something and press Command+G');
});

test('each tab has an address', async ({ page }) => {
  await page.goto('/help#contact');
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Contact');
  await expect(page.getByRole('tabpanel')).toContainText(product.supportEmail);
  await page.getByRole('tab', { name: 'Shortcuts' }).click();
  await expect(page).toHaveURL('/help#shortcuts');
  // An address that is typed wins over a tab that was chosen.
  await page.evaluate('location.hash = "contact"');
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Contact');
  await page.getByRole('tab', { name: 'Shortcuts' }).click();
  await page.reload();
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Shortcuts');
});

test('a chosen tab takes no more space', async ({ page }) => {
  await page.goto('/help');
  const boxes = async () =>
    (await Promise.all((await page.getByRole('tab').all()).map((tab) => tab.boundingBox()))).map(
      (box) => box?.x,
    );
  const before = await boxes();
  await page.getByRole('tab', { name: 'Contact' }).click();
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Contact');
  expect(await boxes()).toEqual(before);
});

test('both shortcuts are listed', async ({ page }) => {
  await page.goto('/help#shortcuts');
  const shortcuts = page.getByRole('tabpanel').getByRole('listitem');
  await expect(shortcuts).toHaveCount(2);
  await expect(shortcuts.nth(0).locator('kbd')).toHaveText(['Command', 'G']);
  await expect(shortcuts.nth(1).locator('kbd')).toHaveText(['Command', 'Shift', 'Space']);
});

test('a question unfolds its answer', async ({ page }) => {
  await page.goto('/help#faq');
  const answer = page.getByText('It works only with an internet connection');
  await expect(answer).toBeHidden();
  await page.getByText('Does Selfsame work offline?').click();
  await expect(answer).toBeVisible();
});

test('the arrow keys move through the tabs and wrap around', async ({ page }) => {
  await page.goto('/help#contact');
  const contact = page.getByRole('tab', { name: 'Contact' });
  await expect(contact).toHaveAttribute('aria-selected', 'true');
  await contact.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Getting Started' })).toBeFocused();
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Getting Started');
  await page.keyboard.press('End');
  await expect(contact).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'FAQ' })).toBeFocused();
  await expect(page).toHaveURL('/help#faq');
  await page.keyboard.press('Home');
  await expect(page.getByRole('tab', { name: 'Getting Started' })).toBeFocused();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('every part of the help is on the page', async ({ page }) => {
    await page.goto('/help');
    await expect(page.getByText('Highlight something and press Command+G')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Hide the window' })).toBeVisible();
    await expect(page.getByText('Does Selfsame work offline?')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Ask about your data' })).toBeVisible();
  });
});
