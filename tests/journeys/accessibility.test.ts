import type { Page, Response } from 'playwright/test';
import {
  applicationStarted,
  builtPages,
  errorsOf,
  expect,
  LIKE_DASHBOARD,
  test,
} from '../fixtures/browser/journey.ts';
import { expectAccessible, expectNoAxeViolations } from '../fixtures/browser/page-checks.ts';

/** Pages that lead a visitor to the sign-in. */
const ALIKE = ['/dashboard', ...LIKE_DASHBOARD];
/** Without a query the page leaves for the sign-in after two seconds. */
const STAYS: Readonly<Record<string, string>> = { '/oauth/callback': '?state=first&state=second' };

/** Pages of the same parts as another, with other text: they are opened, but not looked at. */
const OTHER_TEXT = ['/articles/4', '/articles/6', '/articles/not-found', '/privacy', '/oauth/start'];

const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });

/** Collects the text of the scripts that the page loads. */
function scriptsOf(page: Page): Promise<string>[] {
  const scripts: Promise<string>[] = [];
  page.on('response', (response: Response) => {
    if (/\/assets\/.*\.js$/.test(response.url())) scripts.push(response.text());
  });
  return scripts;
}

test('every page hydrates, axe finds nothing on it, and it doesn’t scroll sideways, from 320 px to 1440, nor at 200 %; axe finds nothing in the sidebar, nor in the popup of a download', async ({
  page,
  context,
  world,
}) => {
  // Visiting all pages takes long on a busy machine.
  test.setTimeout(240_000);
  const faults = errorsOf(page);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== world.origin) foreign.push(request.url());
  });
  const scripts = scriptsOf(page);
  for (const path of [...builtPages(), '/no-such-page'].filter((each) => !ALIKE.includes(each))) {
    scripts.length = 0;
    const response = await page.goto(path + (STAYS[path] ?? ''));
    const isListed = !(await response?.text())?.includes('noindex');
    const served = await heading(page).elementHandle();
    await expect(heading(page)).toBeVisible();
    if (isListed) {
      await applicationStarted(page);
      await page.waitForLoadState('networkidle');
      // Hydration keeps the server's elements.
      expect(await served?.evaluate((element) => (element as { isConnected?: boolean }).isConnected)).toBe(
        true,
      );
      expect({ path, faults, foreign }).toEqual({ path, faults: [], foreign: [] });
      // Neither account nor payment code.
      const code = (await Promise.all(scripts)).join('\n');
      expect(code).toContain('hydrateRoot');
      expect(code).not.toMatch(/CognitoIdentityProvider\b.*InitiateAuth|js\.stripe\.com/);
    }
    if (!OTHER_TEXT.includes(path)) {
      await expectAccessible(page, path, ['dark', 'light']);
    }
    faults.length = 0;
    foreign.length = 0;
  }

  await context.route(/downloads\.selfsame\.example/, (route) => route.fulfill({ body: 'disk image' }));
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoAxeViolations(page, 'the sidebar', ['dark', 'light']);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('main').getByRole('link', { name: 'Download for Mac' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoAxeViolations(page, 'the popup', ['dark', 'light']);
});
