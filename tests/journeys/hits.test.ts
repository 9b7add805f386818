import type { Page } from 'playwright/test';
import { product } from '../../schemas/product.ts';
import { expect, test } from '../fixtures/browser/journey.ts';
import { readChangelog } from '../../web/build/content.ts';
import { downloadOf } from '../../web/build/releases.ts';

/** Records the address a page redirects to. No app handles the scheme here, so the page stays. */
async function open(page: Page, address: string): Promise<() => Promise<unknown>> {
  await page.addInitScript({
    content: `globalThis.left = [];
      navigation.addEventListener('navigate', ({ destination, navigationType }) => {
        if (!destination.sameDocument) left.push([destination.url, navigationType]);
      });`,
  });
  await page.goto(address);
  return () => page.evaluate('left');
}

for (const query of [
  '',
  '?code=4%2F0Ab%0D%0A&state=a+b%20c&empty=',
  '?redirect_uri=https://evil.example/&to=javascript:alert(1)',
  '?//evil.example/@evil.example',
]) {
  test(`/hits${query} passes exactly that query to the desktop app and to no other address`, async ({
    page,
  }) => {
    const left = await open(page, `/hits${query}`);
    await expect(page.getByRole('heading', { name: 'Authentication Complete' })).toBeVisible();
    await expect.poll(left).toEqual([[`${product.desktopCallback}${query}`, 'replace']]);
    await expect(page.getByRole('link', { name: `Open ${product.name}` })).toHaveAttribute(
      'href',
      `${product.desktopCallback}${query}`,
    );
  });
}

test('the page offers the download to users without the app', async ({ page }) => {
  await page.goto('/hits');
  await expect(page.getByRole('main').getByRole('link', { name: 'Download for Mac' })).toHaveAttribute(
    'href',
    downloadOf(readChangelog()).downloadUrl,
  );
});

test('where the app doesn’t open, the same link can be copied into it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/hits?code=4%2F0Ab%0D%0A&state=a+b%20c');
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `${product.desktopCallback}?code=4%2F0Ab%0D%0A&state=a+b%20c`,
  );
  await page.goto('/hits');
  await expect(page.getByRole('link', { name: `Open ${product.name}` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy the link' })).toBeHidden();
});
