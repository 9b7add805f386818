import type { Page, Request } from 'playwright/test';
import type { World } from '../fixtures/worlds/world.ts';
import {
  applicationStarted,
  expect,
  greeting,
  holdScripts,
  NOTHING_STORED,
  openDashboard,
  openSettings,
  signIn,
  signInByStorage,
  storedIn,
  storedToken,
  test,
} from '../fixtures/browser/journey.ts';

/** The path that the sign-in page leads to, as the router keeps it; null for the dashboard. */
const wanted = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const { state } = (globalThis as unknown as { history: { state: { usr?: { from?: unknown } } | null } })
      .history;
    const from = state?.usr?.from as string | { pathname: string; search: string; hash: string } | undefined;
    return typeof from === 'object' ? from.pathname + from.search + from.hash : (from ?? null);
  });

const notice = (page: Page) => page.getByText("You've been signed out.");

test('a user who signs out reads so once, and returns to the page', async ({ page, account, world }) => {
  await signInByStorage(page, account, world);
  await page.goto('/checkout?plan=plus#card');
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/login');
  await expect(notice(page)).toHaveText("You've been signed out.");
  await expect(notice(page)).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(notice(page)).toBeHidden();
  await signIn(page, account);
  await expect(page).toHaveURL('/checkout?plan=plus#card');

  // From a page that everyone can see, the next sign-in leads to the dashboard.
  await page.goto('/pricing');
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(notice(page)).toBeFocused();
  expect(await wanted(page)).toBeNull();

  await openDashboard(page, account, world);
  await page.route('**/api/plan', () => {});
  await page.reload();
  await page.waitForRequest('**/api/plan');
  const RefreshToken = await storedToken(page, 'refreshToken');
  const order: string[] = [];
  page.on('requestfailed', (request) => {
    if (request.url().endsWith('/api/plan')) order.push('given up');
  });
  page.on('request', (request) => {
    if (request.headers()['x-amz-target']?.endsWith('RevokeToken')) order.push('revoked');
  });
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(notice(page)).toBeVisible();
  expect(order).toEqual(['given up', 'revoked']);
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  await expect(world.cognito('GetTokensFromRefreshToken', { ClientId, RefreshToken })).rejects.toThrow(
    'NotAuthorizedException',
  );
});

const isFor = (operation: string) => (request: Request) =>
  request.headers()['x-amz-target']?.endsWith(`.${operation}`) ?? false;

const NOT_REVOKED =
  /^You've been signed out\. We couldn't reach our server, so .* press Sign Out Everywhere\.$/;

test('a tab that waits for Cognito holds up no other tab', async ({ page, account, world, context }) => {
  await openSettings(page, account, world);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/*', async (route) => {
    if (isFor('GetTokensFromRefreshToken')(route.request())) await answered;
    await route.fallback();
  });
  const renewing = page.waitForRequest(isFor('GetTokensFromRefreshToken'));
  await page.getByRole('button', { name: 'Change your name' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Grace');
  await page.getByRole('button', { name: 'Change Name' }).click();
  const renewed = (await renewing).response();
  // Keeps the lock for good, once the renewal has given it up.
  await page.evaluate(`void navigator.locks.request('session', () => new Promise(() => {}))`);

  const other = await context.newPage();
  await other.clock.install();
  await other.goto('/dashboard');
  await expect(greeting(other, account.name)).toBeVisible();
  await expect(other.getByRole('link', { name: 'Upgrade to Plus' })).toBeVisible();
  await other.route('**/*', (route) =>
    route.request().url().endsWith('/api/end-session') || isFor('RevokeToken')(route.request())
      ? undefined
      : route.fallback(),
  );
  const ending = other.waitForRequest('**/api/end-session');
  await other.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await ending;
  expect(await storedIn(other)).toEqual(NOTHING_STORED);
  await expect(page).toHaveURL('/login');
  answer();
  await (await renewed)?.finished();
  await page.getByLabel('Email').fill('ada');
  expect(await storedIn(page)).toEqual(NOTHING_STORED);

  await other.clock.fastForward(2_000);
  await expect(notice(other)).toHaveText(NOT_REVOKED);
  await expect(other).toHaveURL('/login');
  await page.close();
  await signIn(other, account);
  await expect(other).toHaveURL('/dashboard');
});

test('without a network or the code, a user is signed out too', async ({ page, account, world, context }) => {
  await signInByStorage(page, account, world);
  await page.route(/\/sign-out-here-/, (route) => route.abort());
  const prefetched = page.waitForResponse(/\/login-page-[^/]*\.js$/);
  await page.goto('/pricing');
  await prefetched;
  await page.waitForLoadState('networkidle');
  await context.addCookies([{ name: 'sign-up', value: 'secret', url: world.origin }]);
  await context.setOffline(true);
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(notice(page)).toHaveText(NOT_REVOKED);
  await expect(notice(page)).toBeFocused();
  expect(await storedIn(page)).toEqual(NOTHING_STORED);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
});

/** Ends every session, as another device does. Tokens say to the second when a session began. */
async function endSessions(world: World, token: string | undefined): Promise<void> {
  await world.advance('PT2S');
  await world.post('/api/end-session', { session: 'all' }, { authorization: `Bearer ${token}` });
}

test('a session that was ended elsewhere says why', async ({ page, account, world, context }) => {
  await openSettings(page, account, world);
  const first = await storedToken(page, 'accessToken');
  // Otherwise a call of the page's own notices.
  await page.waitForLoadState('networkidle');
  await endSessions(world, first);
  await page.getByRole('button', { name: 'Change your name' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Grace');
  await page.getByRole('button', { name: 'Change Name' }).click();
  await expect(page).toHaveURL('/login');
  await expect(notice(page)).toContainText("If that wasn't you, choose a new password.");
  await expect(page.getByRole('alert')).toHaveCount(0);
  await signIn(page, account);
  await page.getByRole('button', { name: 'Change your name' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Grace');

  const token = await storedToken(page, 'accessToken');
  // A page that asks the API for nothing, and so doesn't notice.
  await page.goto('/terms');
  await endSessions(world, token);
  await page.goto('/checkout?plan=plus');
  await expect(page).toHaveURL('/login');
  await expect(notice(page)).toContainText("If that wasn't you, choose a new password.");
  await expect(notice(page)).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await signIn(page, account);
  await expect(page).toHaveURL('/checkout?plan=plus');

  // A wrong password takes the place of the notice.
  const other = await context.newPage();
  await other.goto('/settings#change-password');
  await expect(other.getByLabel('Current password')).toBeFocused();
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(notice(other)).toHaveText("You've been signed out. You did that in another tab.");
  expect(await wanted(other)).toBe('/settings#change-password');
  await signIn(other, { ...account, password: 'wrong horse' });
  await expect(other.getByRole('alert')).toBeVisible();
  await expect(notice(other)).toBeHidden();
});

/** Every link between the pages of signing in: the page that has it, where it is, and its name. */
const LINKS = [
  ['/login', 'main', 'Forgot your password?'],
  ['/forgot-password', 'main', 'Back to Sign In'],
  ['/login', 'main', 'Create an account'],
  ['/signup', 'main', 'Sign In'],
  ['/login', 'banner', 'Get Started'],
  ['/signup', 'banner', 'Sign In'],
] as const;

test('the wanted page survives every link between the pages of signing in', async ({ page }) => {
  await page.goto('/checkout?plan=plus#card');
  // A first-time visitor reads of no sign-out.
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(notice(page)).toBeHidden();
  for (const [path, part, name] of LINKS) {
    await expect(page).toHaveURL(path);
    await page.getByRole(part).getByRole('link', { name, exact: true }).click();
    await expect(page).not.toHaveURL(path);
    expect([path, name, await wanted(page)]).toEqual([path, name, '/checkout?plan=plus#card']);
  }

  await applicationStarted(page);
  await page.evaluate(() => sessionStorage.setItem('sign-in-notice', 'notice=signed-out'));
  const release = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await page.getByLabel('Email').pressSequentially('ada');
  release();
  await applicationStarted(page);
  await expect(page.locator('html[data-signed-out]')).toHaveCount(0);
  await expect(notice(page)).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('ada');
});
