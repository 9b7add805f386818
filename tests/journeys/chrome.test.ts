import type { Page } from 'playwright/test';
import { expect, openDashboard, test } from '../fixtures/browser/journey.ts';
import { product } from '../../schemas/product.ts';

const BAR = { width: 901, height: 800 };
const MENU = { width: 900, height: 800 };

const bar = (page: Page) => page.getByRole('banner');
const sidebar = (page: Page) => page.getByRole('dialog', { name: 'Navigation' });

/** Opens the menu of a narrow window with the keyboard. */
async function openSidebar(page: Page): Promise<void> {
  await bar(page).getByRole('button', { name: 'Open menu' }).click();
  await expect(sidebar(page)).toBeVisible();
}

test.describe('a window wider than 900 px', () => {
  test.use({ viewport: BAR });

  test('lists the pages in the bar', async ({ page }) => {
    await page.goto('/');
    await expect(bar(page).getByRole('navigation').getByRole('link')).toHaveText([
      'Features',
      'Demo',
      'Templates',
      'Articles',
      'Pricing',
    ]);
    await expect(bar(page).getByRole('button', { name: 'Open menu' })).toBeHidden();
    await bar(page).getByRole('link', { name: 'Features' }).click();
    await expect(page).toHaveURL('/#features');
    await expect(page.locator('#features')).toBeInViewport();
    await bar(page).getByRole('link', { name: 'Pricing' }).click();
    await expect(page).toHaveURL('/pricing');
    await bar(page).getByRole('link', { name: 'Selfsame' }).click();
    await expect(page).toHaveURL('/');
  });

  test('marks Articles on the list and below it, and nowhere else', async ({ page }) => {
    const articles = bar(page).getByRole('link', { name: 'Articles' });
    for (const path of ['/articles', '/articles/1']) {
      await page.goto(path);
      await expect(articles).toHaveAttribute('aria-current', 'page');
    }
    for (const path of ['/', '/pricing']) {
      await page.goto(path);
      await expect(articles).not.toHaveAttribute('aria-current');
    }
  });

  test('gives the bar its scrolled style past 50 px and removes it above', async ({ page }) => {
    await page.goto('/');
    for (const [y, scrolled] of [
      [50, 'false'],
      [51, 'true'],
      [50, 'false'],
    ] as const) {
      await page.evaluate(
        (top) => (globalThis as unknown as { scrollTo(x: number, y: number): void }).scrollTo(0, top),
        y,
      );
      await expect(bar(page)).toHaveAttribute('data-scrolled', scrolled);
    }
  });

  test('offers a visitor to sign in and to sign up', async ({ page }) => {
    await page.goto('/');
    await expect(bar(page).getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login');
    await expect(bar(page).getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/signup');
    await expect(bar(page).getByRole('link', { name: 'Dashboard' })).toBeHidden();
    await expect(bar(page).getByRole('button', { name: 'Sign Out' })).toBeHidden();
  });

  test('offers a signed-in user the dashboard and signing out', async ({ page, account, world }) => {
    await openDashboard(page, account, world);
    await page.goto('/');
    await expect(bar(page).getByRole('link', { name: 'Dashboard' })).toBeVisible();
    await expect(bar(page).getByRole('link', { name: 'Get Started' })).toBeHidden();
    await bar(page).getByRole('button', { name: 'Sign Out' }).click();
    await expect(bar(page).getByRole('link', { name: 'Get Started' })).toBeVisible();
    await expect(bar(page).getByRole('button', { name: 'Sign Out' })).toBeHidden();
  });

  test('shows a remembered user the right links before any script file has loaded', async ({ page }) => {
    await page.addInitScript(() =>
      localStorage.setItem('CognitoIdentityServiceProvider.client.LastAuthUser', 'user'),
    );
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto('/');
    await expect(bar(page).getByRole('link', { name: 'Dashboard' })).toBeVisible();
    await expect(bar(page).getByRole('link', { name: 'Get Started' })).toBeHidden();
  });
});

test.describe('a window of 900 px', () => {
  test.use({ viewport: MENU });

  test.beforeEach(({ page }) => page.goto('/').then(() => undefined));

  test('has a menu that opens a sidebar with every page and the account', async ({ page }) => {
    await expect(bar(page).getByRole('navigation')).toBeHidden();
    await openSidebar(page);
    await expect(sidebar(page).getByRole('heading')).toHaveText('Navigation');
    expect(await page.evaluate('getComputedStyle(document.documentElement).overflowY')).toBe('hidden');
    await expect(sidebar(page).getByRole('link')).toHaveText([
      'Features',
      'Demo',
      'Templates',
      'Articles',
      'Pricing',
      'Sign In',
      'Get Started',
    ]);
  });

  test('closes the sidebar with its button and with Escape, and returns the focus', async ({ page }) => {
    for (const close of [
      () => page.getByRole('button', { name: 'Close menu' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await openSidebar(page);
      await close();
      await expect(sidebar(page)).toBeHidden();
      await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();
    }
  });

  test('cycles the focus inside the sidebar in both directions', async ({ page }) => {
    await openSidebar(page);
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(sidebar(page).getByRole('link', { name: 'Get Started' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeFocused();
  });

  test('closes the sidebar when a link is followed, to another page or a part of the same page', async ({
    page,
  }) => {
    await openSidebar(page);
    await sidebar(page).getByRole('link', { name: 'Features' }).click();
    await expect(sidebar(page)).toBeHidden();
    await expect(page.locator('#features')).toBeInViewport();
    await openSidebar(page);
    await sidebar(page).getByRole('link', { name: 'Pricing' }).click();
    await expect(sidebar(page)).toBeHidden();
    await expect(page).toHaveURL('/pricing');
  });

  test('closes the sidebar when the page changes by other means', async ({ page }) => {
    await openSidebar(page);
    await sidebar(page).getByRole('link', { name: 'Pricing' }).click();
    await expect(page).toHaveURL('/pricing');
    await openSidebar(page);
    await page.goBack();
    await expect(page).toHaveURL('/');
    await expect(sidebar(page)).toBeHidden();
  });

  test('closes the sidebar when the window grows wider', async ({ page }) => {
    await openSidebar(page);
    await page.setViewportSize(BAR);
    await expect(sidebar(page)).toBeHidden();
    await expect(bar(page).getByRole('navigation')).toBeVisible();
    await page.setViewportSize(MENU);
    await expect(sidebar(page)).toBeHidden();
  });
});

test('links of the footer are large enough for a finger', async ({ page }) => {
  await page.goto('/');
  for (const link of await page.getByRole('contentinfo').getByRole('link').all()) {
    expect.soft((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
});

test('the footer has its three columns, the year and a mail link to support', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('heading')).toHaveText(['Product', 'Company', 'Privacy']);
  await expect(footer).toContainText('© 2025 Selfsame');
  await expect(footer.getByRole('link', { name: 'Contact' })).toHaveAttribute(
    'href',
    `mailto:${product.supportEmail}`,
  );
});

test('every link of the bar and the footer leads to an existing page', async ({ page, request }) => {
  await page.goto('/');
  const links = await page.locator('header a, footer a').all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  for (const address of new Set(addresses.filter((href) => href?.startsWith('/')))) {
    expect([address, (await request.get(String(address))).status()]).toEqual([address, 200]);
  }
});

test('an unknown address answers 404 and offers links, also with a dot', async ({ page, request }) => {
  const file = await request.get('/wp-login.php');
  expect([file.status(), file.headers()['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  const response = await page.goto('/no-such-page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('a page whose script fails to load says so and offers a retry', async ({ page }) => {
  await page.route(/pricing-page/, (route) => route.abort());
  await page.goto('/');
  await bar(page).getByRole('link', { name: 'Pricing' }).click();
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByRole('button', { name: 'Try Again' })).toBeVisible();
  await expect(main.getByRole('link', { name: product.supportEmail })).toBeVisible();
  await main.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'AI that helps you be you' })).toBeVisible();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });

  test('a narrow window shows the links that the menu would', async ({ page }) => {
    await page.goto('/');
    await bar(page).getByRole('link', { name: 'Pricing' }).click();
    await expect(page).toHaveURL('/pricing');
  });
});
