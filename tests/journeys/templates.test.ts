import { expect, test } from '../fixtures/journey.ts';
import { buildFromContent, contentWith, openBuilt } from '../fixtures/site-with-content.ts';
import { product } from '../../schemas/product.ts';

const template = {
  id: 'code-review',
  name: 'Code review',
  categories: ['Programming', 'Productivity'],
  modes: ['write', 'analyze'],
  summary: 'Two commands for reading somebody else’s change.',
  commandGroups: [{ name: 'Review', commands: ['Find the risk', 'Say it kindly'] }],
  contextGroups: [{ name: 'Tone', contexts: ['To a new colleague'] }],
  rawData: {
    modes: {
      write: [{ name: 'Tone', contexts: ['To a new colleague'] }],
      Analyze: [{ name: 'Review', commands: ['Find the risk', 'Say it kindly'] }],
    },
  },
};
const json = JSON.stringify(template.rawData, null, 2);

test.describe('while there are no templates', () => {
  test('the gallery announces them', async ({ page }) => {
    await page.goto('/templates');
    await expect(page.getByRole('heading', { name: 'Ready-to-use templates' })).toBeVisible();
    await expect(page.getByText('No templates available yet', { exact: true })).toBeVisible();
    await expect(
      page.getByText("We're working on creating amazing templates for you. Check back soon!"),
    ).toBeVisible();
  });

  test('each category says that it has none', async ({ page }) => {
    await page.goto('/templates');
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
    await filters.first().click();
    await expect(page.getByText('No templates available yet', { exact: true })).toBeVisible();
  });

  test('the form for templates opens in a new tab', async ({ page }) => {
    await page.goto('/templates');
    for (const name of ['Contribute', 'Upload Template']) {
      const link = page.getByRole('link', { name });
      await expect(link).toHaveAttribute('href', product.templateFormUrl);
      await expect(link).toHaveAttribute('target', '_blank');
    }
  });
});

test.describe('a template', () => {
  let dist: string;
  test.beforeAll(async () => {
    dist = await buildFromContent(contentWith({ 'templates/code-review.json': JSON.stringify(template) }));
  });
  test.beforeEach(({ page }) => openBuilt(page, dist, '/templates'));

  test('shows in each of its categories and in no other', async ({ page }) => {
    const card = page.getByRole('heading', { name: 'Code review' });
    await expect(card).toBeVisible();
    for (const name of ['Programming', 'Productivity']) {
      await page.getByRole('button', { name }).click();
      await expect(card).toBeVisible();
    }
    await page.getByRole('button', { name: 'Medical' }).click();
    await expect(card).toBeHidden();
    await expect(page.getByText('No templates available in the Medical category yet.')).toBeVisible();
  });

  test('shows its configuration, with a button back', async ({ page }) => {
    await page.getByRole('button', { name: 'Use Template' }).click();
    await expect(page.getByRole('heading', { name: 'Code review' })).toBeFocused();
    await expect(page.getByRole('region', { name: 'Template configuration' })).toHaveText(json);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('heading', { name: 'Ready-to-use templates' })).toBeVisible();
  });

  test('confirms copying for two seconds', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Use Template' }).click();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(json);
    await page.clock.runFor(1_900);
    await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
    await page.clock.runFor(200);
    await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible();
  });

  test('stops confirming when copying fails', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Use Template' }).click();
    // The clock is stopped, so only the failure can remove the confirmation.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
    await page.evaluate(
      'navigator.clipboard.writeText = () => Promise.reject(new Error("denied")), undefined',
    );
    await page.getByRole('button', { name: 'Copied!' }).click();
    await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});
