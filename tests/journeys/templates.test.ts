import { readFileSync } from 'node:fs';
import { readTemplates } from '../../web/build/content.ts';
import { expect, test } from '../fixtures/browser/journey.ts';
import { layoutShifts, observeLayoutShifts } from '../fixtures/browser/layout-shifts.ts';
import { startSlowProxy } from '../fixtures/browser/slow-proxy.ts';
import { product } from '../../schemas/product/product.ts';

const templates = readTemplates();
const rawData = templates.find(({ id }) => id === 'paper-reading')?.rawData;
const json = JSON.stringify(rawData, null, 2);

test('the gallery narrows, says so in its address, and leads to a template', async ({ page }) => {
  await page.goto('/templates');
  const cards = page.getByRole('main').getByRole('heading', { level: 2 });
  const category = page.getByRole('group', { name: 'Category' });
  const search = page.getByLabel('Search templates');
  await expect(page.getByText(`${templates.length} templates`)).toBeVisible();
  await expect(cards).toHaveCount(templates.length + 1);
  for (const name of ['Contribute', 'Upload Template']) {
    const form = page.getByRole('link', { name });
    await expect(form).toHaveAttribute('href', product.templateFormUrl);
    await expect(form).toHaveAttribute('target', '_blank');
  }

  const lastBox = () => category.getByRole('button').last().boundingBox();
  const before = await lastBox();
  await category.getByRole('button', { name: 'Research' }).click();
  expect(await lastBox()).toEqual(before);
  await expect(page.getByText('3 templates in Research')).toBeVisible();
  await expect(page).toHaveURL('/templates?category=Research');
  await search.fill('mark my ANSWER');
  await expect(page.getByText('1 template in Research for “mark my ANSWER”')).toBeVisible();
  await expect(cards.first()).toHaveText('Study partner');
  await expect(page).toHaveURL('/templates?category=Research&search=mark+my+ANSWER');
  await page.reload();
  await expect(category.getByRole('button', { pressed: true })).toHaveText('Research');
  await expect(search).toHaveValue('mark my ANSWER');
  await expect(page.getByText('1 template in Research')).toBeVisible();

  await search.fill('contract');
  await expect(page.getByText('Nothing in Research matches “contract”.')).toBeVisible();
  await page.getByRole('button', { name: 'Search in All Templates (1)' }).click();
  await expect(page.getByText('1 template for “contract”')).toBeVisible();
  // The pressed button is gone.
  await expect(search).toBeFocused();
  await search.fill('emails');
  await expect(page.locator('#everyday-writing mark').first()).toHaveText('email');
  await search.fill('zither');
  await expect(page.getByText('Nothing matches “zither”.')).toBeVisible();
  await expect(page.getByText('Zither: Turn the selected text')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy the command' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear the Search' }).click();
  await expect(page.getByText(`${templates.length} templates`)).toBeVisible();
  await expect(search).toHaveValue('');
  await expect(search).toBeFocused();

  await page.goto('/templates?category=Research');
  await expect(page.getByText('3 templates in Research')).toBeVisible();
  const card = page.locator('#paper-reading');
  const response = await page.request.get('/templates/paper-reading.json');
  expect(response.headers()['content-type']).toContain('application/json');
  expect(await response.json()).toEqual(rawData);

  const use = card.getByRole('link', { name: 'Use Template' });
  await use.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate<number>('scrollY');
  await use.click();
  await expect(page).toHaveURL('/templates?category=Research#paper-reading');
  await expect(page).toHaveTitle(`Paper reading · ${product.name}`);
  await expect(page.getByRole('heading', { name: 'Paper reading' })).toBeFocused();
  await expect(page.getByRole('region', { name: 'An example: One sentence for my text' })).toBeInViewport();
  await page.getByText('Show the configuration').click();
  await expect(page.getByRole('region', { name: 'Template configuration' })).toHaveText(json);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download JSON' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('paper-reading.json');
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(rawData);

  for (const back of [() => page.getByRole('button', { name: 'Back' }).click(), () => page.goBack()]) {
    await back();
    await expect(page).toHaveURL('/templates?category=Research');
    await expect(use).toBeFocused();
    expect(await page.evaluate<number>('scrollY')).toBe(scrolled);
    await use.click();
  }
});

test('a template has its own address, and confirms copying', async ({ page, context, world }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await observeLayoutShifts(page);
  const slow = await startSlowProxy(world.origin, 'paper-reading');
  await page.goto(`${slow.origin}/templates?category=Research#paper-reading`, { waitUntil: 'commit' });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  slow.sendRest();
  const copy = page.getByRole('button', { name: 'Copy', exact: true });
  const copied = page.getByRole('button', { name: 'Copied!' });
  await expect(copy).toBeVisible();
  expect(await layoutShifts(page)).toEqual([]);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Copy all' }).click();
  await expect(copied).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('Claim, evidence, limits: ');
  await page.clock.runFor(2_100);
  await copy.click();
  await expect(copied).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(json);
  await page.clock.runFor(1_900);
  await expect(copied).toBeVisible();
  await page.clock.runFor(200);
  await expect(copy).toBeVisible();

  await copy.click();
  await expect(copied).toBeVisible();
  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("denied")), undefined');
  // The clock is stopped, so only the failure can remove the confirmation.
  await copied.click();
  await expect(copy).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.clock.resume();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('3 templates in Research')).toBeVisible();
  await slow.close();
});
