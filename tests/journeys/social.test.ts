import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, openDashboard, signIn, test } from '../fixtures/journey.ts';

type Provider = 'Google' | 'GitHub';

interface Stranger {
  name: string;
  email: string;
}

/** Somebody no provider and no account knows yet. */
const stranger = (name: string): Stranger => ({
  name,
  email: `${name.toLowerCase()}.${randomUUID()}@example.com`,
});

/** Says at the provider's page who one is. */
async function be(page: Page, { name, email }: Stranger, { verified = true } = {}): Promise<void> {
  // The page one comes from has fields of these names too.
  await expect(page.getByLabel('The address is verified')).toBeVisible();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('The address is verified').setChecked(verified);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const goTo = (page: Page, provider: Provider): Promise<void> =>
  page.getByRole('button', { name: `Continue with ${provider}` }).click();

/** Signs in by way of the dashboard, which is where it ends. */
async function openDashboardBy(page: Page, provider: Provider, who: Stranger): Promise<void> {
  await page.goto('/dashboard');
  await goTo(page, provider);
  await be(page, who);
  await page.getByRole('heading', { name: `Welcome, ${who.name}` }).waitFor();
}

/** The Cognito `sub` of whoever is signed in. */
const idOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const [, token = ''] = Object.entries(localStorage).find(([key]) => key.endsWith('.idToken')) ?? [];
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(payload)) as { sub: string }).sub;
  });

const refreshTokenOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => Object.entries(localStorage).find(([key]) => key.endsWith('.refreshToken'))?.[1]);

async function signOut(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect(page).toHaveURL('/');
}

const leftBehind = (page: Page): Promise<unknown> =>
  page.evaluate(() => [
    localStorage.length,
    sessionStorage.length,
    (globalThis as unknown as { document: { cookie: string } }).document.cookie,
  ]);

for (const provider of ['Google', 'GitHub'] as const) {
  test(`somebody new comes by ${provider} and begins on Free`, async ({ page, world }) => {
    const grace = stranger('Grace');
    await openDashboardBy(page, provider, grace);
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByRole('region', { name: 'Profile' })).toContainText(grace.email);
    await expect(page.getByRole('region', { name: 'Profile' })).toContainText('Free');
    expect(await world.rowOf(await idOf(page))).toMatchObject({ plan: 'free' });
  });
}

test('whoever comes again is the same person', async ({ page }) => {
  const grace = stranger('Grace');
  await openDashboardBy(page, 'Google', grace);
  const id = await idOf(page);
  await signOut(page);
  await page.goto('/login');
  await goTo(page, 'Google');
  await page.getByRole('button', { name: grace.email }).click();
  await expect(page).toHaveURL('/dashboard');
  expect(await idOf(page)).toBe(id);
});

test('the page they came for is where it ends, on whichever page they began', async ({ page }) => {
  await page.goto('/checkout?plan=plus');
  await expect(page).toHaveURL('/login');
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
  await goTo(page, 'GitHub');
  await be(page, stranger('Grace'));
  await expect(page).toHaveURL('/checkout?plan=plus');
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
});

test('whoever cancels at the provider is back at the form, and may go another way', async ({
  page,
  person,
}) => {
  await page.goto('/checkout?plan=plus');
  await goTo(page, 'Google');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toHaveText('The sign-in was cancelled.');
  await signIn(page, person);
  await expect(page).toHaveURL('/checkout?plan=plus');
});

test('what was refused is said once, and gone as soon as one types', async ({ page }) => {
  await page.goto('/login');
  await goTo(page, 'Google');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Email').fill('a');
  await expect(page.getByRole('alert')).toBeHidden();
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
});

for (const provider of ['Google', 'GitHub'] as const) {
  test(`an address that ${provider} has not verified opens nothing`, async ({ page }) => {
    await page.goto('/login');
    await goTo(page, provider);
    await be(page, stranger('Grace'), { verified: false });
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('alert')).toContainText(provider);
    await expect(page.getByRole('alert')).toContainText('verified');
  });

  test(`where ${provider} breaks down the form says so`, async ({ page }) => {
    await page.goto('/login');
    await goTo(page, provider);
    await page.getByRole('button', { name: 'Fail' }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('alert')).not.toBeEmpty();
    await expect(page.getByRole('button', { name: `Continue with ${provider}` })).toBeEnabled();
  });
}

test('an account of the same address, in other letters, is joined without a further press here', async ({
  page,
  person,
}) => {
  await page.goto('/login');
  await goTo(page, 'Google');
  const email = person.email.toUpperCase();
  await be(page, { name: person.name, email });
  // Cognito fails the first sign-in after it has joined the two; the site has gone back to the provider by itself.
  await page.getByRole('button', { name: email }).click();
  await expect(page).toHaveURL('/dashboard');
  expect(await idOf(page)).toBe(person.id);

  await signOut(page);
  await page.goto('/login');
  await signIn(page, person);
  await expect(page).toHaveURL('/dashboard');
  expect(await idOf(page)).toBe(person.id);
});

test('a password that somebody chose for another’s address never opens the account of its owner', async ({
  page,
  browser,
  world,
}) => {
  const victim = stranger('Victim');
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  const attackers = await world.cognito<{ UserSub: string }>('SignUp', {
    ClientId,
    Username: victim.email,
    Password: 'of the attacker',
    UserAttributes: [{ Name: 'email', Value: victim.email }],
  });

  await openDashboardBy(page, 'Google', victim);
  const id = await idOf(page);
  expect(id).not.toBe(attackers.UserSub);

  const elsewhere = await browser.newPage({ baseURL: world.origin });
  await elsewhere.goto('/login');
  await signIn(elsewhere, { email: victim.email, password: 'of the attacker', name: '', id: '' });
  await expect(elsewhere).toHaveURL(/\/email-confirmation\?/);

  await elsewhere.close();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Welcome, Victim' })).toBeVisible();
  expect(await idOf(page)).toBe(id);
});

test('an address that came by a provider first has no second account with a password', async ({ page }) => {
  const grace = stranger('Grace');
  await openDashboardBy(page, 'Google', grace);
  await signOut(page);
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Eve');
  await page.getByLabel('Email').fill(grace.email);
  await page.getByLabel('Password', { exact: true }).fill('another horse');
  await page.getByLabel('Confirm password').fill('another horse');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('alert')).toHaveText('An account with the given email already exists.');
});

test('a session of a provider ends as any other, and at Cognito too', async ({ page, world }) => {
  await openDashboardBy(page, 'Google', stranger('Grace'));
  const refreshToken = await refreshTokenOf(page);
  await signOut(page);
  await expect(page.getByRole('link', { name: 'Get Started' }).first()).toBeVisible();
  expect(await leftBehind(page)).toEqual([0, 0, '']);
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  await expect(
    world.cognito('GetTokensFromRefreshToken', { ClientId, RefreshToken: refreshToken }),
  ).rejects.toThrow('NotAuthorizedException');

  // Whoever sits down here next is asked who they are.
  await page.goto('/login');
  await goTo(page, 'Google');
  await expect(page.getByRole('heading', { name: 'Sign in with Google' })).toBeVisible();
});

test('neither code nor token is in an address that stays or in a Referer', async ({ page }) => {
  const referers: string[] = [];
  page.on('request', (request) => {
    void request
      .allHeaders()
      .then(({ referer }) => referers.push(referer ?? ''))
      .catch(() => {});
  });
  await openDashboardBy(page, 'Google', stranger('Grace'));
  const entries = await page.evaluate(() =>
    (globalThis as unknown as { navigation: { entries: () => { url: string }[] } }).navigation
      .entries()
      .map(({ url }) => url),
  );
  expect(entries.length).toBeGreaterThan(0);
  expect(referers.length).toBeGreaterThan(0);
  for (const address of [...entries, ...referers])
    expect(address).not.toMatch(/[?&#](code|state|[a-z]+_token)=/);
});

test('another tab that opens meanwhile does not end a sign-in on its way', async ({ page, context }) => {
  const grace = stranger('Grace');
  await page.goto('/login');
  await goTo(page, 'Google');
  await page.getByLabel('Name').waitFor();

  const other = await context.newPage();
  await other.goto('/forgot-password');
  await other.getByLabel('Email').fill(grace.email);
  await other.getByRole('button', { name: 'Send Link' }).click();
  await expect(other.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  await be(page, grace);
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome, Grace' })).toBeVisible();
  await other.goto('/dashboard');
  await expect(other.getByRole('heading', { name: 'Welcome, Grace' })).toBeVisible();
});

test('whoever turns back from the provider can sign in with a password', async ({ page, person }) => {
  await page.goto('/login');
  await goTo(page, 'Google');
  await page.getByLabel('Name').waitFor();
  await page.goBack();
  await signIn(page, person);
  await expect(page).toHaveURL('/dashboard');
});

test('an answer that this tab did not ask for signs nobody in and repeats nothing it says', async ({
  page,
}) => {
  await page.goto('/dashboard?code=stolen&state=guessed');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toHaveText(
    'This sign-in was not begun here, or has been answered before. Please try again.',
  );
  await page.goto('/dashboard?error=x&error_description=Call+555-0100&state=guessed');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByText('555-0100')).toHaveCount(0);
});

test('an answer that nobody asked for leaves whoever is signed in as they are', async ({
  page,
  person,
  world,
}) => {
  await openDashboard(page, person, world);
  await page.goto('/dashboard?code=stolen&state=guessed');
  await expect(page).toHaveURL('/dashboard');
  expect(await idOf(page)).toBe(person.id);
});
