import type { Page, Route } from 'playwright/test';
import { applicationStarted, errorsOf, expect, signInByStorage, test } from '../fixtures/browser/journey.ts';
import { expectNoAxeViolations } from '../fixtures/browser/page-checks.ts';
import { product } from '../../schemas/product/product.ts';

const BAR = { width: 901, height: 800 };
const MENU = { width: 900, height: 800 };

const bar = (page: Page) => page.getByRole('banner');
const sidebar = (page: Page) => page.getByRole('dialog', { name: 'Navigation' });

/** Opens the menu of a narrow window with the keyboard. */
async function openSidebar(page: Page): Promise<void> {
  await bar(page).getByRole('button', { name: 'Open menu' }).click();
  await expect(sidebar(page)).toBeVisible();
}

test('a window wider than 900 px lists the pages in a bar, which marks Articles', async ({ page }) => {
  await page.setViewportSize(BAR);
  await page.goto('/');
  await expect(bar(page).getByRole('navigation').getByRole('link')).toHaveText([
    'Features',
    'Demo',
    'Templates',
    'Articles',
    'Pricing',
  ]);
  await expect(bar(page).getByRole('button', { name: 'Open menu' })).toBeHidden();
  await expect(bar(page).getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login');
  await expect(bar(page).getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/signup');
  await expect(bar(page).getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await expect(bar(page).getByRole('button', { name: 'Sign Out' })).toBeHidden();

  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('heading')).toHaveText(['Product', 'Company', 'Privacy']);
  await expect(footer).toContainText(`© 2025 ${product.name}`);
  await expect(footer.getByRole('link', { name: 'Contact' })).toHaveAttribute(
    'href',
    `mailto:${product.supportEmail}`,
  );
  for (const link of await footer.getByRole('link').all()) {
    expect.soft((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }

  for (const [y, scrolled] of [
    [50, 'false'],
    [51, 'true'],
    [50, 'false'],
  ] as const) {
    await page.evaluate(`scrollTo(0, ${y}), undefined`);
    await expect(bar(page)).toHaveAttribute('data-scrolled', scrolled);
  }
  await bar(page).getByRole('link', { name: 'Features' }).click();
  await expect(page).toHaveURL('/#features');
  await expect(page.locator('#features')).toBeInViewport();

  const articles = bar(page).getByRole('link', { name: 'Articles' });
  await bar(page).getByRole('link', { name: 'Pricing' }).click();
  await expect(page).toHaveURL('/pricing');
  await expect(articles).not.toHaveAttribute('aria-current');
  await articles.click();
  await expect(articles).toHaveAttribute('aria-current', 'page');
  await page.locator('main li').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/articles\/\d/);
  await expect(articles).toHaveAttribute('aria-current', 'page');
  await bar(page).getByRole('link', { name: product.name }).click();
  await expect(page).toHaveURL('/');
  await expect(articles).not.toHaveAttribute('aria-current');
});

test('bar and sidebar offer a user the dashboard and signing out', async ({ page, account, world }) => {
  await signInByStorage(page, account, world);
  await page.goto('/');
  await expect(bar(page).getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await expect(bar(page).getByRole('link', { name: 'Get Started' })).toBeHidden();
  await expect(bar(page).getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await openSidebar(page);
  await expect(sidebar(page).getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await sidebar(page).getByRole('button', { name: 'Sign Out' }).click();
  await page.setViewportSize(BAR);
  await expect(bar(page).getByRole('link', { name: 'Get Started' })).toBeVisible();
  await expect(bar(page).getByRole('button', { name: 'Sign Out' })).toBeHidden();
});

test.describe('a window of 900 px', () => {
  test.use({ viewport: MENU });

  test('has a menu that opens a sidebar, which keeps the focus and closes by itself', async ({ page }) => {
    await page.goto('/');
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

    const close = page.getByRole('button', { name: 'Close menu' });
    await expect(close).toBeFocused();
    await expectNoAxeViolations(page, 'the sidebar', ['dark', 'light']);
    await page.keyboard.press('Shift+Tab');
    await expect(sidebar(page).getByRole('link', { name: 'Get Started' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(close).toBeFocused();
    for (const leave of [() => close.click(), () => page.keyboard.press('Escape')]) {
      await leave();
      await expect(sidebar(page)).toBeHidden();
      await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();
      await openSidebar(page);
    }
    await sidebar(page).getByRole('link', { name: 'Features' }).click();
    await expect(sidebar(page)).toBeHidden();
    await expect(page.locator('#features')).toBeInViewport();
    await openSidebar(page);
    await sidebar(page).getByRole('link', { name: 'Pricing' }).click();
    await expect(sidebar(page)).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Start free.' })).toBeVisible();

    await openSidebar(page);
    await page.goBack();
    await expect(page).toHaveURL('/#features');
    await expect(sidebar(page)).toBeHidden();

    await openSidebar(page);
    await page.setViewportSize(BAR);
    await expect(sidebar(page)).toBeHidden();
    await expect(bar(page).getByRole('navigation')).toBeVisible();
    await page.setViewportSize(MENU);
    await expect(sidebar(page)).toBeHidden();
  });
});

test('an unknown address answers 404 with links, a page without its script a retry', async ({ page }) => {
  await page.route(/pricing-page/, (route) => route.abort());
  const response = await page.goto('/no-such-page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');

  await bar(page).getByRole('link', { name: 'Pricing' }).click();
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Try Again' })).toBeVisible();
  await expect(main.getByRole('link', { name: product.supportEmail })).toBeVisible();
  await main.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'AI that helps you be you' })).toBeVisible();
});

test('a page whose styles can’t be loaded waits for them, and holds up no other', async ({ page }) => {
  const styles = /\/assets\/templates-page[^/]*\.css$/;
  const errors = errorsOf(page);
  const templates = bar(page).getByRole('link', { name: 'Templates' });
  const failure = page.getByRole('heading', { name: 'Something went wrong' });
  const isStyled = () =>
    page.evaluate(`[...document.styleSheets].some(({ href }) => href?.includes('/templates-page'))`);
  await page.goto('/');
  await applicationStarted(page);
  let answer = (route: Route) => route.abort();
  await page.route(styles, (route) => answer(route));
  const failed = page.waitForEvent('requestfailed', { predicate: (request) => styles.test(request.url()) });
  await templates.hover();
  await failed;
  await templates.click();
  await expect(failure).toBeVisible();
  expect(errors.join('\n')).toContain('Unable to preload CSS for');
  expect(errors.join('\n')).not.toContain('[object');

  await bar(page).getByRole('link', { name: 'Pricing' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Start free.' })).toBeVisible();

  // The pointer asks for the page before the click.
  const asked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  answer = async (route) => {
    asked.resolve();
    await end.promise;
    await route.abort();
  };
  await templates.hover();
  await asked.promise;
  await templates.click();
  end.resolve();
  await expect(failure).toBeVisible();

  answer = (route) => route.continue();
  await bar(page).getByRole('link', { name: 'Pricing' }).click();
  await expect(page).toHaveURL('/pricing');
  await templates.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ready-to-use templates' })).toBeVisible();
  expect(await isStyled()).toBe(true);
  // The rules of a stylesheet that couldn't be loaded can't be read.
  expect(errors.join('\n')).not.toContain('cssRules');
});
