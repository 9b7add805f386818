import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { Locator, Page } from 'playwright/test';
import { buyPlus } from '../fixtures/worlds/account.ts';
import { expect, greeting, openDashboard, signIn, test as base } from '../fixtures/browser/journey.ts';
import { newUser, signInBy } from '../fixtures/worlds/hosted-sign-in.ts';
import { type RelayApp, startRelayApp } from '../fixtures/browser/relay-app.ts';
import type { World } from '../fixtures/worlds/world.ts';

const test = base.extend<{ app: RelayApp }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from a pattern.
  app: async ({}, use) => {
    const app = await startRelayApp();
    await use(app);
    await app.close();
  },
});

/** The part of a DOM element that is used here. */
interface Linked {
  getAttribute(name: string): string | null;
}

const STATE = 'the app’s own & <text>?';

const startAddress = (given: Record<string, string>): string =>
  `/oauth/start?${new URLSearchParams({ provider: 'google', ...given }).toString()}`;

/** Signs in at the provider as a user unknown to other journeys, so that there is no account to link. */
async function beSomebody(
  page: Page,
  { name, email }: { name: string; email: string } = {
    name: 'Relayed',
    email: `relayed.${randomUUID()}@example.com`,
  },
): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in for the app, and returns its tokens. */
async function signInFor(page: Page, app: RelayApp): Promise<Record<string, string>> {
  await page.goto(startAddress({ redirect_uri: app.address, state: STATE }));
  await beSomebody(page);
  await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
  return app.received[0]?.parameters ?? {};
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
  test('shows the error that an app gets after a cancelled sign-in, and what it receives after one with each provider', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const received = page.getByRole('region', { name: 'What your app received' });
    await page.goto('/oauth/demo?provider=github&state=7');
    await expect(page.getByRole('radio', { name: 'GitHub' })).toBeChecked();
    await expect(page.getByLabel('State (optional)')).toHaveValue('7');
    await page.getByRole('button', { name: 'Start OAuth Flow' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('alert')).toHaveText(/^OAuth Error: ./);
    await expect(page.getByText('Redirecting back...')).toBeVisible();
    await expect(received).toContainText('oauth_error');
    await expect(page).toHaveURL('/oauth/demo');

    for (const provider of ['Google', 'GitHub']) {
      await page.goto('/oauth/demo');
      await expect(page.getByLabel('Redirect URI')).toHaveValue(new URL('/oauth/demo', page.url()).href);
      await page.getByRole('radio', { name: provider }).check();
      await page.getByLabel('State (optional)').fill(STATE);
      await page.getByRole('button', { name: 'Start OAuth Flow' }).click();
      await expect(page.getByRole('heading', { name: `Sign in with ${provider}` })).toBeVisible();
      await beSomebody(page);
      await expect(page.getByText('Redirecting back...')).toBeVisible();
      await expect(received).toContainText(STATE);
      await expect(page).toHaveURL('/oauth/demo');
      // A token begins with the header of a signed or an encrypted JWT.
      await expect(received).not.toContainText('eyJ');
    }
    await received.getByRole('button', { name: 'Show access_token' }).click();
    await expect(received).toContainText('eyJ');
    await received.getByRole('button', { name: 'Hide access_token' }).click();
    await expect(received).not.toContainText('eyJ');
    await received.getByRole('button', { name: 'Copy access_token' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^eyJ/);
    expect(await kept(page)).toEqual([[], [], '']);
  });

  test('starts only with a registered address', async ({ page }) => {
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
  });
});

test.describe('an app', () => {
  test('gets tokens and its own state at its own address, without a Referer', async ({ page, app }) => {
    const tokens = await signInFor(page, app);
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      refresh_token: expect.stringMatching(/./),
      state: STATE,
    });
    expect(app.received.map(({ referer }) => referer)).toEqual([undefined]);
    // The page that held the tokens is not in the history.
    await page.goBack();
    await expect(page).not.toHaveURL(/\/oauth\/|access_token/);
  });

  test('gets its tokens a second after the sign-in, and a reload in between doesn’t send them twice', async ({
    page,
    app,
  }) => {
    const until = await stopTime(page);
    await page.goto(startAddress({ redirect_uri: app.address, state: STATE }));
    await until(page.getByRole('heading', { name: 'Sign in with Google' }));
    await beSomebody(page);
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
  });

  test('is told of a cancelled sign-in', async ({ page, app }) => {
    await page.goto(startAddress({ redirect_uri: app.address, state: STATE }));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
    expect(app.received[0]?.parameters).toEqual({
      error: 'oauth_error',
      error_description: expect.stringMatching(/./),
      state: STATE,
    });
  });

  test('is told of an answer without a token', async ({ page, app }) => {
    await page.route('**/oauth2/token', async (route) => {
      const response = await route.fetch();
      const { refresh_token: _, ...rest } = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: rest });
    });
    await page.goto(startAddress({ redirect_uri: app.address }));
    await beSomebody(page);
    await expect(page.getByText('OAuth Error: Missing tokens in session')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
    expect(app.received[0]?.parameters).toEqual({
      error: 'oauth_error',
      error_description: 'Missing tokens in session',
    });
  });

  test('gets the user’s existing account, although Cognito fails the sign-in that links it', async ({
    page,
    app,
    account,
  }) => {
    await page.goto(startAddress({ redirect_uri: app.address }));
    await beSomebody(page, account);
    // The site starts a second sign-in at the provider, which asks the user.
    await expect(page.getByRole('button', { name: account.email })).toBeVisible();
    await page.getByRole('button', { name: account.email }).click();
    await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
    const [, claims = ''] = String(app.received[0]?.parameters['access_token']).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: account.id });
  });
});

test.describe('the site’s own session', () => {
  test('stays as it is, and survives the end of the app’s', async ({ page, app, account, world }) => {
    await openDashboard(page, account, world);
    const before = await kept(page);
    const { refresh_token: token = '' } = await signInFor(page, app);
    await page.goto('/dashboard');
    await expect(greeting(page, account.name)).toBeVisible();
    expect(await kept(page)).toEqual(before);

    expect((await atCognito(world, 'revoke', { token })).status).toBe(200);
    expect(
      (await atCognito(world, 'token', { grant_type: 'refresh_token', refresh_token: token })).status,
    ).toBe(400);
    await world.advance('PT20M');
    await page.reload();
    await expect(greeting(page, account.name)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Profile' })).toContainText(account.email);
  });

  test('ends without ending the app’s', async ({ page, app, account, world }) => {
    const { refresh_token: token = '' } = await signInFor(page, app);
    await page.goto('/login');
    await signIn(page, account);
    await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
    await expect(page.getByText("You've been signed out.")).toBeFocused();
    const refreshed = await atCognito(world, 'token', { grant_type: 'refresh_token', refresh_token: token });
    expect(refreshed.status).toBe(200);
  });
});

test('an app reads the plan of its user, Plus seconds after the purchase, and nothing else', async ({
  page,
  app,
  world,
}) => {
  const user = newUser();
  await page.goto(startAddress({ redirect_uri: app.address }));
  await beSomebody(page, user);
  await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
  const headers = { authorization: `Bearer ${app.received[0]?.parameters['access_token']}` };
  const read = async () =>
    (await (await fetch(`${world.origin}/api/plan`, { headers })).json()) as Record<string, unknown>;
  expect(await read()).toMatchObject({ plan: 'free', planExpiresAt: null });

  const { access_token: accessToken } = await signInBy(world, { provider: 'Google', user });
  await buyPlus(world, { ...user, id: String(decodeJwt(accessToken).sub) }, { accessToken });
  expect(await read()).toMatchObject({ plan: 'plus', planExpiresAt: null });
  for (const path of ['billing', 'export']) {
    expect((await fetch(`${world.origin}/api/${path}`, { headers })).status).toBe(401);
  }
});

test.describe('tokens are never sent', () => {
  const unregistered = [
    'https://evil.example/',
    'javascript:alert(document.domain)',
    'javascript://localhost/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'http://evil.example/',
    'http://localhost@evil.example/',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://localhost:4000/callback%0d%0a',
    'http://localhost:4000/login?next=https://evil.example/',
    'http://localhost:4000/\ncallback',
    'java\tscript:alert(1)',
    '//evil.example/',
    '/dashboard',
  ];

  test('to unregistered addresses: no page redirects or links there', async ({ page }) => {
    await page.clock.install();
    for (const [path, query] of [
      ['/oauth/start', { provider: 'google' }],
      ['/oauth/callback', {}],
    ] as const) {
      for (const address of unregistered) {
        await page.goto(
          `${path}?${new URLSearchParams({ ...query, redirect_uri: address, state: 's' }).toString()}`,
        );
        const gone = departures(page);
        await expect(page.getByRole('alert')).toHaveText(
          'OAuth Error: This redirect address is not registered.',
        );
        await page.clock.runFor(10_000);
        await expect(page.getByRole('alert')).toBeVisible();
        const links = await page
          .getByRole('link')
          .evaluateAll((all) => all.map((link) => String((link as Linked).getAttribute('href'))));
        expect(links.filter((link) => /evil|javascript|data:/i.test(link))).toEqual([]);
        expect(gone).toEqual([]);
      }
    }
  });

  test('if a parameter is given twice', async ({ page, app }) => {
    await page.clock.install();
    const address = encodeURIComponent(app.address);
    for (const query of [
      `redirect_uri=${address}&redirect_uri=https://evil.example/`,
      `redirect_uri=${address}&redirect_uri=${address}`,
      `redirect_uri=${address}&state=1&state=2`,
      'code=1&code=2&state=3',
    ]) {
      await page.goto(`/oauth/callback?${query}`);
      const gone = departures(page);
      await expect(page.getByRole('alert')).toHaveText(
        /^OAuth Error: The parameter \w+ is given more than once\.$/,
      );
      await page.clock.runFor(10_000);
      await expect(page).toHaveURL('/oauth/callback');
      expect(gone).toEqual([]);
    }
    expect(app.received).toEqual([]);
  });

  test('for another sign-in', async ({ page, browser, app, world }) => {
    // Eve signs in herself and keeps the answer.
    const eve = await browser.newPage({ baseURL: world.origin });
    let answer = '';
    eve.on('request', (request) => {
      if (request.url().includes('/oauth/callback?code=')) answer = request.url();
    });
    await eve.route('**/oauth2/token', (route) => route.abort());
    await eve.goto(startAddress({ redirect_uri: app.address }));
    await beSomebody(eve);
    await expect.poll(() => answer).toContain('code=');
    await eve.close();

    // Another user is signing in, and gets Eve's answer.
    await page.goto(startAddress({ redirect_uri: app.address, state: STATE }));
    await expect(page.getByRole('heading', { name: 'Sign in with Google' })).toBeVisible();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    await page.goto(answer);
    await expect(page.getByRole('alert')).toContainText('This answer belongs to another sign-in.');
    await expect(page).not.toHaveURL(/code=/);
    await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
    expect(asked.filter((address) => address.includes('/oauth2/token'))).toEqual([]);
    expect(app.received.map(({ parameters }) => Object.keys(parameters))).toEqual([
      ['error', 'error_description', 'state'],
    ]);
  });

  test('for an answer that this tab didn’t ask for, whose code leaves the address bar at once', async ({
    page,
  }) => {
    await page.goto('/oauth/callback?code=foreign&state=theirs');
    await expect(page.getByRole('alert')).toHaveText('OAuth Error: No session found after OAuth callback');
    await expect(page).toHaveURL('/oauth/callback');
    await expect(page).toHaveURL('/login');
    expect(await kept(page)).toEqual([[], [], '']);
  });
});

test('without an address the user is sent to sign in two seconds later', async ({ page }) => {
  const until = await stopTime(page);
  for (const path of ['/oauth/callback', '/oauth/start?provider=google']) {
    await page.goto(path);
    await until(page.getByText('OAuth Error: Missing redirect_uri parameter'));
    await expect(page.getByText('Redirecting back...')).toBeVisible();
    await page.clock.runFor(1_700);
    await expect(page).toHaveURL(path);
    await page.clock.runFor(400);
    await expect(page).toHaveURL('/login');
  }
});
