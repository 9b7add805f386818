import { product } from '../../schemas/product/product.ts';
import { expect, holdTimers, test } from '../fixtures/browser/journey.ts';
import { readChangelog } from '../../web/build/content.ts';
import { downloadOf } from '../../web/build/releases.ts';

const CODE = '?code=4%2F0Ab%0D%0A&state=a+b%20c&empty=';

// Records the address a page redirects to. No app handles the scheme here, so the page stays.
const RECORD = `globalThis.left = [];
  navigation.addEventListener('navigate', ({ destination, navigationType }) => {
    if (!destination.sameDocument) left.push([destination.url, navigationType]);
  });`;

test('exactly the query is passed to the desktop app alone, and can be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(RECORD);
  await holdTimers(page, 2_000);
  const opener = page.getByRole('link', { name: `Open ${product.name}` });
  const copy = page.getByRole('button', { name: 'Copy the link' });
  for (const query of ['?redirect_uri=https://evil.example/&to=javascript:alert(1)', '', CODE]) {
    await page.goto(`/hits${query}`);
    await expect(page.getByRole('heading', { name: 'Authentication Complete' })).toBeVisible();
    await expect
      .poll(() => page.evaluate('left'))
      .toEqual([[`${product.desktopCallback}${query}`, 'replace']]);
    await expect(opener).toHaveAttribute('href', `${product.desktopCallback}${query}`);
    // Without a query there is nothing to copy.
    await expect(copy).toHaveCount(query === '' ? 0 : 1);
  }
  await copy.click();
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${product.desktopCallback}${CODE}`);
  await expect(page.getByRole('main').getByRole('link', { name: 'Download for Mac' })).toHaveAttribute(
    'href',
    downloadOf(readChangelog()).downloadUrl,
  );
});
