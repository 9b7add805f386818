import type { Page } from 'playwright/test';
import { pagesOf } from '../../infra/constructs/website/page-routing.ts';
import { expect, test } from '../fixtures/browser/journey.ts';
import { expectNoAxeViolations, expectNoHorizontalScrollOfText } from '../fixtures/browser/page-checks.ts';

/** The addresses of all built pages, and an unknown address. */
function addresses(): string[] {
  const { dist } = JSON.parse(process.env['SELFSAME_BUILT'] ?? 'null') as { dist: string };
  return ['/', ...pagesOf(dist), '/no-such-page'];
}

/** Without a query the page leaves for the sign-in after two seconds. */
const STAYS: Readonly<Record<string, string>> = { '/oauth/callback': '?state=first&state=second' };

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path + (STAYS[path] ?? ''));
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
}

// Visiting all pages takes long on a busy machine.
test.describe.configure({ timeout: 240_000 });

test('axe finds nothing on any page, and none scrolls sideways, from 320 px to 1440, nor at 200 %', async ({
  page,
}) => {
  for (const path of addresses()) {
    await open(page, path);
    await expectNoAxeViolations(page, path);
    await expectNoHorizontalScrollOfText(page, path);
  }
});

test('axe finds nothing in the sidebar', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, '/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoAxeViolations(page, 'the sidebar');
});

test('axe finds nothing in the popup of a download', async ({ page, context }) => {
  await context.route(/downloads\.selfsame\.example/, (route) => route.fulfill({ body: 'disk image' }));
  await open(page, '/');
  await expect(page.locator('figure[data-in-sight]').first()).toBeAttached();
  await page.getByRole('main').getByRole('link', { name: 'Download for Mac' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoAxeViolations(page, 'the popup');
});
