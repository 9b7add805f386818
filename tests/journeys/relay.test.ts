import type { Locator, Page } from 'playwright/test';
import type { RelayApp } from '../fixtures/browser/relay-app.ts';
import {
  expect,
  greeting,
  openDashboard,
  signInAtProvider,
  signOut,
  test,
} from '../fixtures/browser/journey.ts';
import { newUser } from '../fixtures/worlds/hosted-sign-in.ts';
import type { World } from '../fixtures/worlds/world.ts';

/** The part of a DOM element that is used here. */
interface Linked {
  getAttribute(name: string): string | null;
}

const STATE = 'the app’s own & <text>?';

const startAddress = (given: Record<string, string>): string =>
  `/oauth/start?${new URLSearchParams({ provider: 'google', ...given }).toString()}`;

/** Signs in for the app, and returns its tokens. */
async function signInFor(page: Page, app: RelayApp): Promise<Record<string, string>> {
  await page.goto(startAddress({ redirect_uri: app.address, state: STATE }));
  await signInAtProvider(page, newUser());
  await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
  return app.received.at(-1)?.parameters ?? {};
}

/** Everything that the site stores in the browser. */
const kept = (page: Page): Promise<unknown> =>
  page.evaluate('[Object.keys(sessionStorage), Object.keys(localStorage), document.cookie]');

/** The relay's Cognito client, used as an app does. */
async function atCognito(world: World, path: string, form: Record<string, string>): Promise<Response> {
  const { signInOrigin, relayClientId } = await world.get<{ signInOrigin: string; relayClientId: string }>(
    '/config.json',
  );
  const body = new URLSearchParams({ client_id: relayClientId, ...form });
  return fetch(`${signInOrigin}/oauth2/${path}`, { method: 'POST', body });
}

/** Moves the page's stopped clock in steps of a tenth of a second until an element shows. */
async function stopTime(page: Page): Promise<(shows: Locator) => Promise<void>> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
  return (shows) =>
    expect(async () => {
      await page.clock.runFor(100);
      await expect(shows).toBeVisible({ timeout: 250 });
    }).toPass();
}

/** Records every address that the page navigates to. */
function departures(page: Page): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) addresses.push(request.url());
  });
  return addresses;
}

test.describe('the demo', () => {
  test('shows what an app gets after a cancelled sign-in, and after another', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const received = page.getByRole('region', { name: 'What your app received' });
    await page.goto('/oauth/demo?provider=github&state=7');
    await expect(page.getByLabel('Provider')).toHaveValue('github');
    await expect(page.getByLabel('State (optional)')).toHaveValue('7');
    await page.getByRole('button', { name: 'Start OAuth Flow' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('alert')).toHaveText(/^OAuth Error: ./);
    await expect(page.getByText('Redirecting back...')).toBeVisible();
    await expect(received).toContainText('oauth_error');
    await expect(page).toHaveURL('/oauth/demo');

    await page.goto('/oauth/demo');
    await expect(page.getByLabel('Redirect URI')).toHaveValue(new URL('/oauth/demo', page.url()).href);
    await page.getByLabel('Provider').selectOption('Google');
    await page.getByLabel('State (optional)').fill(STATE);
    await page.getByRole('button', { name: 'Start OAuth Flow' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in with Google' })).toBeVisible();
    await signInAtProvider(page, newUser());
    await expect(page.getByText('Redirecting back...')).toBeVisible();
    await expect(received).toContainText(STATE);
    await expect(page).toHaveURL('/oauth/demo');
    // A token begins with the header of a signed or an encrypted JWT.
    await expect(received).not.toContainText('eyJ');
    await received.getByRole('button', { name: 'Show access_token' }).click();
    await expect(received).toContainText('eyJ');
    await received.getByRole('button', { name: 'Hide access_token' }).click();
    await expect(received).not.toContainText('eyJ');
    await received.getByRole('button', { name: 'Copy access_token' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^eyJ/);
    expect(await kept(page)).toEqual([[], [], '']);
  });

  test('starts only with a registered address, and takes no foreign answer', async ({ page }) => {
    await page.goto('/oauth/demo?redirect_uri=https://evil.example/');
    const start = page.getByRole('button', { name: 'Start OAuth Flow' });
    const address = page.getByLabel('Redirect URI');
    const refusal = page.getByText('This redirect address is not registered.');
    await expect(address).toHaveValue(/\/oauth\/demo$/);
    await expect(start).toBeEnabled();
    await address.fill('');
    await expect(start).toBeDisabled();
    await address.fill('https://evil.example/');
    await expect(refusal).toBeVisible();
    const gone = departures(page);
    await start.click();
    await expect(refusal.first()).toBeVisible();
    await address.fill('http://localhost:4000/callback');
    await expect(refusal).toHaveCount(0);
    expect(gone).toEqual([]);

    await page.goto('/oauth/callback?code=foreign&state=theirs');
    await expect(page.getByRole('alert')).toHaveText('OAuth Error: No session found after OAuth callback');
    await expect(page).toHaveURL('/oauth/callback');
    await expect(page).toHaveURL('/login');
    expect(await kept(page)).toEqual([[], [], '']);
  });
});

test.describe('an app', () => {
  test('is told of a cancelled sign-in, and gets tokens, without a Referer', async ({ page, app }) => {
    await page.goto(startAddress({ redirect_uri: app.address, state: STATE }));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
    expect(app.received[0]?.parameters).toEqual({
      error: 'oauth_error',
      error_description: expect.stringMatching(/./),
      state: STATE,
    });
    const tokens = await signInFor(page, app);
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      refresh_token: expect.stringMatching(/./),
      state: STATE,
    });
    expect(app.received.map(({ referer }) => referer)).toEqual([undefined, undefined]);
    // The page that held the tokens is not in the history.
    await page.goBack();
    await expect(page).not.toHaveURL(/\/oauth\/|access_token/);
  });

  test('gets its tokens after a second, once; without an address, nobody does', async ({ page, app }) => {
    const until = await stopTime(page);
    await page.goto(startAddress({ redirect_uri: app.address, state: STATE }));
    await until(page.getByRole('heading', { name: 'Sign in with Google' }));
    await signInAtProvider(page, newUser());
    await until(page.getByText('Redirecting back...'));
    await expect(page).toHaveURL(
      `/oauth/callback?${new URLSearchParams({ redirect_uri: app.address, state: STATE }).toString()}`,
    );
    await page.clock.runFor(700);
    expect(app.received).toEqual([]);

    await page.reload();
    await until(page.getByText('OAuth Error: No session found after OAuth callback'));
    await page.clock.runFor(1_700);
    expect(app.received).toEqual([]);
    await page.clock.runFor(400);
    await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
    expect(app.received.map(({ parameters }) => parameters)).toEqual([
      {
        error: 'oauth_error',
        error_description: 'No session found after OAuth callback',
        state: STATE,
      },
    ]);

    await page.goto('/oauth/callback');
    await until(page.getByText('OAuth Error: Missing redirect_uri parameter'));
    await expect(page.getByText('Redirecting back...')).toBeVisible();
    await page.clock.runFor(1_700);
    await expect(page).toHaveURL('/oauth/callback');
    await page.clock.runFor(400);
    await expect(page).toHaveURL('/login');
  });
});

test('the site’s session and the app’s survive each other’s end', async ({ page, app, account, world }) => {
  await openDashboard(page, account, world);
  const before = await kept(page);
  const { refresh_token: token = '' } = await signInFor(page, app);
  await page.goto('/dashboard');
  await expect(greeting(page, account.name)).toBeVisible();
  expect(await kept(page)).toEqual(before);

  const refresh = async (refresh_token: string) =>
    (await atCognito(world, 'token', { grant_type: 'refresh_token', refresh_token })).status;
  expect((await atCognito(world, 'revoke', { token })).status).toBe(200);
  expect(await refresh(token)).toBe(400);
  await world.advance('PT20M');
  await page.reload();
  await expect(greeting(page, account.name)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(account.email);

  // Cognito would remember its own session, and ask nobody.
  await page.context().clearCookies({ name: 'cognito' });
  const { refresh_token: next = '' } = await signInFor(page, app);
  await page.goto('/dashboard');
  await signOut(page);
  expect(await refresh(next)).toBe(200);
});

test('tokens are never sent to unregistered addresses, and nothing leads there', async ({ page, app }) => {
  await page.clock.install();
  const address = encodeURIComponent(app.address);
  const query = new URLSearchParams({ redirect_uri: 'javascript:alert(1)', state: 's' }).toString();
  for (const [path, fault] of [
    [`/oauth/start?provider=google&${query}`, 'This redirect address is not registered.'],
    [`/oauth/callback?${query}`, 'This redirect address is not registered.'],
    [
      `/oauth/callback?redirect_uri=${address}&redirect_uri=https://evil.example/`,
      'The parameter redirect_uri is given more than once.',
    ],
  ] as const) {
    await page.goto(path);
    const gone = departures(page);
    await expect(page.getByRole('alert')).toHaveText(`OAuth Error: ${fault}`);
    await page.clock.runFor(10_000);
    await expect(page.getByRole('alert')).toBeVisible();
    const links = await page
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => String((link as Linked).getAttribute('href'))));
    expect(links.filter((link) => /evil|javascript|data:/i.test(link))).toEqual([]);
    expect(gone).toEqual([]);
  }
  expect(app.received).toEqual([]);
});
