import { applicationStarted, expect, test } from '../fixtures/browser/journey.ts';
import { product } from '../../schemas/product/product.ts';

test('the tabs of the help are chosen by mouse and keys; a search finds an answer', async ({ page }) => {
  await page.goto('/help');
  // Until then, a tab is a link, which takes the focus to its panel.
  await applicationStarted(page);
  const tabs = page.getByRole('tab');
  const selected = page.getByRole('tab', { selected: true });
  await expect(tabs).toHaveText(['Getting Started', 'Shortcuts', 'FAQ', 'Contact']);
  await expect(selected).toHaveText('Getting Started');
  await expect(page.getByRole('tabpanel')).toContainText('Highlight something and press Command+G');

  const boxes = async () =>
    (await Promise.all((await tabs.all()).map((tab) => tab.boundingBox()))).map((box) => box?.x);
  const before = await boxes();
  const contact = page.getByRole('tab', { name: 'Contact' });
  await contact.click();
  await expect(selected).toHaveText('Contact');
  expect(await boxes()).toEqual(before);

  // The arrow keys wrap around.
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Getting Started' })).toBeFocused();
  await expect(selected).toHaveText('Getting Started');
  await page.keyboard.press('End');
  await expect(contact).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'FAQ' })).toBeFocused();
  await expect(page).toHaveURL('/help#faq');
  const answer = page.getByText('It works only with an internet connection');
  await expect(answer).toBeHidden();
  await page.getByText(`Does ${product.name} work offline?`).click();
  await expect(answer).toBeVisible();
  await page.getByRole('tab', { name: 'FAQ' }).press('Home');
  await expect(page.getByRole('tab', { name: 'Getting Started' })).toBeFocused();

  // A search looks in all tabs.
  await page.getByLabel('Search the help').fill('deleting');
  await expect(page.getByRole('tab')).toHaveCount(0);
  await page.getByText('How do I delete my account?').click();
  await expect(page.getByText('In your settings, under')).toBeVisible();
  await page.getByLabel('Search the help').fill('');

  // Each tab has an address.
  await page.goto('/help#contact');
  await expect(selected).toHaveText('Contact');
  await expect(page.getByRole('tabpanel')).toContainText(product.supportEmail);
  await page.getByRole('tab', { name: 'Shortcuts' }).click();
  await expect(page).toHaveURL('/help#shortcuts');
  const shortcuts = page.getByRole('tabpanel').getByRole('listitem');
  await expect(shortcuts).toHaveCount(2);
  await expect(shortcuts.nth(0).locator('kbd')).toHaveText(['Command', 'G']);
  await expect(shortcuts.nth(1).locator('kbd')).toHaveText(['Command', 'Shift', 'Space']);
  // An address that is typed wins over a tab that was chosen.
  await page.evaluate('location.hash = "contact"');
  await expect(selected).toHaveText('Contact');
  await page.getByRole('tab', { name: 'Shortcuts' }).click();
  await page.reload();
  await expect(selected).toHaveText('Shortcuts');
});
