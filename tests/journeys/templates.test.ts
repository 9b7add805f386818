import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readTemplates } from '../../web/build/content.ts';
import { expect, test } from '../fixtures/browser/journey.ts';
import { layoutShifts, observeLayoutShifts } from '../fixtures/browser/layout-shifts.ts';
import { buildFromContent, contentWith, openBuilt } from '../fixtures/browser/site-with-content.ts';
import { product } from '../../schemas/product.ts';

const templates = readTemplates();
const rawData = templates.find(({ id }) => id === 'paper-reading')?.rawData;
const json = JSON.stringify(rawData, null, 2);

test.describe('the gallery', () => {
  test('narrows to a category and a search, and keeps both in the address', async ({ page }) => {
    await page.goto('/templates');
    const cards = page.getByRole('main').getByRole('heading', { level: 2 });
    const category = page.getByRole('group', { name: 'Category' });
    await expect(page.getByText(`${templates.length} templates`)).toBeVisible();
    await expect(cards).toHaveCount(templates.length + 1);

    const lastBox = () => category.getByRole('button').last().boundingBox();
    const before = await lastBox();
    await category.getByRole('button', { name: 'Research' }).click();
    expect(await lastBox()).toEqual(before);
    await expect(page.getByText('3 templates in Research')).toBeVisible();
    await expect(page).toHaveURL('/templates?category=Research');

    await page.getByLabel('Search templates').fill('mark my ANSWER');
    await expect(page.getByText('1 template in Research for “mark my ANSWER”')).toBeVisible();
    await expect(cards.first()).toHaveText('Study partner');
    await expect(page).toHaveURL('/templates?category=Research&search=mark+my+ANSWER');

    await page.reload();
    await expect(category.getByRole('button', { pressed: true })).toHaveText('Research');
    await expect(page.getByLabel('Search templates')).toHaveValue('mark my ANSWER');
    await expect(page.getByText('1 template in Research')).toBeVisible();
  });

  test('says what to do where nothing is found', async ({ page }) => {
    await page.goto('/templates?category=Medical&search=contract');
    await expect(page.getByText('Nothing in Medical matches “contract”.')).toBeVisible();
    await page.getByRole('button', { name: 'Search in All Templates (1)' }).click();
    await expect(page.getByText('1 template for “contract”')).toBeVisible();
    await page.getByLabel('Search templates').fill('zither');
    await expect(page.getByText('Try a single word')).toBeVisible();
    await page.getByRole('button', { name: 'Clear the Search' }).click();
    await expect(page.getByText(`${templates.length} templates`)).toBeVisible();
    await expect(page.getByLabel('Search templates')).toHaveValue('');
  });

  test('offers each template’s JSON, and a form for new ones that opens in a new tab', async ({ page }) => {
    await page.goto('/templates');
    const link = page.getByRole('link', { name: 'JSON' }).first();
    const response = await page.request.get((await link.getAttribute('href')) ?? '');
    expect(response.headers()['content-type']).toContain('application/json');
    expect(await response.json()).toEqual(templates[0]?.rawData);
    for (const name of ['Contribute', 'Upload Template']) {
      const form = page.getByRole('link', { name });
      await expect(form).toHaveAttribute('href', product.templateFormUrl);
      await expect(form).toHaveAttribute('target', '_blank');
    }
  });
});

test.describe('a template', () => {
  test('shows its configuration, and leads back to its card', async ({ page }) => {
    await page.goto('/templates?category=Research');
    await expect(page.getByText('3 templates in Research')).toBeVisible();
    const use = page.locator('#paper-reading').getByRole('link', { name: 'Use Template' });
    await use.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate<number>('scrollY');
    await use.click();
    await expect(page).toHaveURL('/templates?category=Research#paper-reading');
    await expect(page).toHaveTitle('Paper reading · Selfsame');
    await expect(page.getByRole('heading', { name: 'Paper reading' })).toBeFocused();
    await expect(page.getByRole('region', { name: 'Template configuration' })).toHaveText(json);
    await expect(page.getByRole('region', { name: 'An example: One sentence for my text' })).toBeVisible();

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

  test('has its own address, at which nothing moves', async ({ page }) => {
    await observeLayoutShifts(page);
    await page.goto('/templates?category=Research#paper-reading');
    await expect(page.getByRole('region', { name: 'Template configuration' })).toHaveText(json);
    expect(await layoutShifts(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByText('3 templates in Research')).toBeVisible();
  });

  test('confirms copying for two seconds, and stops when copying fails', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/templates#paper-reading');
    const copy = page.getByRole('button', { name: 'Copy', exact: true });
    const copied = page.getByRole('button', { name: 'Copied!' });
    await expect(copy).toBeVisible();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await copy.click();
    await expect(copied).toBeVisible();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(json);
    await page.clock.runFor(1_900);
    await expect(copied).toBeVisible();
    await page.clock.runFor(200);
    await expect(copy).toBeVisible();

    await copy.click();
    await expect(copied).toBeVisible();
    await page.evaluate(
      'navigator.clipboard.writeText = () => Promise.reject(new Error("denied")), undefined',
    );
    // The clock is stopped, so only the failure can remove the confirmation.
    await copied.click();
    await expect(copy).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test('without templates, the gallery announces them, and each category says that it has none', async ({
  page,
}) => {
  const folder = contentWith({});
  rmSync(path.join(folder, 'templates'), { recursive: true });
  await openBuilt(page, await buildFromContent(folder), '/templates');
  await expect(page.getByRole('heading', { name: 'Ready-to-use templates' })).toBeVisible();
  await expect(page.getByText('No templates available yet', { exact: true })).toBeVisible();
  await expect(
    page.getByText("We're working on creating amazing templates for you. Check back soon!"),
  ).toBeVisible();
  const filters = page.getByRole('group', { name: 'Category' }).getByRole('button');
  const names = await filters.allInnerTexts();
  expect(names).toEqual([
    'All Templates',
    'Programming',
    'Business',
    'Marketing',
    'Creative',
    'Medical',
    'Design',
    'Research',
    'Productivity',
    'Journalism',
  ]);
  for (const [index, name] of names.entries()) {
    if (index === 0) continue;
    await filters.nth(index).click();
    await expect(page.getByText(`No templates available in the ${name} category yet.`)).toBeVisible();
  }
  await page.getByRole('button', { name: 'Show All Templates' }).click();
  await expect(page.getByText('No templates available yet', { exact: true })).toBeVisible();
});
