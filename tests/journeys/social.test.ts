import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import {
  errorsOf,
  expect,
  greeting,
  openDashboard,
  signIn,
  storedToken,
  test,
} from '../fixtures/browser/journey.ts';

type Provider = 'Google' | 'GitHub';

interface Stranger {
  name: string;
  email: string;
}

/** A user who is new to the providers and to the site. */
const stranger = (name: string): Stranger => ({
  name,
  email: `${name.toLowerCase()}.${randomUUID()}@example.com`,
});

/** Fills in an identity on the provider's page. */
async function be(page: Page, { name, email }: Stranger, { verified = true } = {}): Promise<void> {
  // The sign-in page has fields of the same names.
  await expect(page.getByLabel('The address is verified')).toBeVisible();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('The address is verified').setChecked(verified);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const goTo = (page: Page, provider: Provider): Promise<void> =>
  page.getByRole('button', { name: `Continue with ${provider}` }).click();

/** Opens the dashboard, signs in, and waits for the dashboard. */
async function openDashboardBy(page: Page, provider: Provider, who: Stranger): Promise<void> {
  await page.goto('/dashboard');
  await goTo(page, provider);
  await be(page, who);
  await greeting(page, who.name).waitFor();
}

/** The Cognito `sub` of the signed-in user. */
const idOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const [, token = ''] = Object.entries(localStorage).find(([key]) => key.endsWith('.idToken')) ?? [];
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(payload)) as { sub: string }).sub;
  });

async function signOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText("You've been signed out.")).toBeFocused();
}

const leftBehind = (page: Page): Promise<unknown> =>
  page.evaluate(() => [
    localStorage.length,
    sessionStorage.length,
    (globalThis as unknown as { document: { cookie: string } }).document.cookie,
  ]);

for (const provider of ['Google', 'GitHub'] as const) {
  test(`a new user signs in with ${provider} and begins on Free`, async ({ page, world }) => {
    const grace = stranger('Grace');
    await openDashboardBy(page, provider, grace);
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByRole('region', { name: 'Profile' })).toContainText(grace.email);
    await expect(page.getByRole('region', { name: 'Profile' })).toContainText('Free');
    expect(await world.rowOf(await idOf(page))).toMatchObject({ plan: 'free' });
  });
}

test('a second sign-in is the same account', async ({ page }) => {
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

test('the sign-in ends on the requested page, whether it began at sign-in or sign-up', async ({ page }) => {
  await page.goto('/checkout?plan=plus');
  await expect(page).toHaveURL('/login');
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
  await goTo(page, 'GitHub');
  await be(page, stranger('Grace'));
  await expect(page).toHaveURL('/checkout?plan=plus');
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
});

test('a user who cancels at the provider is back at the form', async ({ page, account }) => {
  await page.goto('/checkout?plan=plus');
  await goTo(page, 'Google');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('The sign-in was cancelled.')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
  await goTo(page, 'GitHub');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/signup');
  await expect(page.getByText('The sign-in was cancelled.')).toBeFocused();
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await signIn(page, account);
  await expect(page).toHaveURL('/checkout?plan=plus');
});

test('a user who takes eleven minutes at GitHub reads so above the buttons, and signs in after all', async ({
  page,
  world,
}) => {
  await page.goto('/checkout?plan=plus');
  await goTo(page, 'GitHub');
  await expect(page.getByLabel('The address is verified')).toBeVisible();
  await world.advance('PT11M');
  await be(page, stranger('Grace'));
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toHaveText(/^The sign-in with GitHub took too long/);
  await goTo(page, 'GitHub');
  await be(page, stranger('Grace'));
  await expect(page).toHaveURL('/checkout?plan=plus');
});

test('a refusal shows once, and goes when the user types', async ({ page }) => {
  await page.goto('/login');
  await goTo(page, 'Google');
  await page.getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Email').fill('a');
  await expect(page.getByRole('alert')).toBeHidden();
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
});

for (const provider of ['Google', 'GitHub'] as const) {
  test(`an address that ${provider} has not verified signs in to no account`, async ({ page }) => {
    await page.goto('/login');
    await goTo(page, provider);
    await be(page, stranger('Grace'), { verified: false });
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('alert')).toContainText(provider);
    await expect(page.getByRole('alert')).toContainText('verified');
  });

  test(`if ${provider} fails, the form says so`, async ({ page }) => {
    await page.goto('/login');
    await goTo(page, provider);
    await page.getByRole('button', { name: 'Fail' }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('alert')).not.toBeEmpty();
    await expect(page.getByRole('button', { name: `Continue with ${provider}` })).toBeEnabled();
  });
}

test('an account with the same address in different case is linked without another click', async ({
  page,
  account,
}) => {
  await page.goto('/login');
  await goTo(page, 'Google');
  const email = account.email.toUpperCase();
  await be(page, { name: account.name, email });
  // Cognito fails the sign-in that links the accounts, and the site starts it again by itself.
  await expect(page.getByRole('heading', { name: 'Google now opens your account' })).toBeFocused();
  await expect(page.getByText('Google asks you once more, and then you are signed in.')).toBeVisible();
  await page.getByRole('button', { name: email }).click();
  await expect(page).toHaveURL('/dashboard');
  expect(await idOf(page)).toBe(account.id);

  await signOut(page);
  await page.goto('/login');
  await signIn(page, account);
  await expect(page).toHaveURL('/dashboard');
  expect(await idOf(page)).toBe(account.id);
});

test('an address that a stranger has typed is claimed by its owner with Google, and the stranger’s code is refused', async ({
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

  const [link] = (await world.mailTo(victim.email)).links;

  await openDashboardBy(page, 'Google', victim);
  const id = await idOf(page);
  expect(id).not.toBe(attackers.UserSub);

  const elsewhere = await browser.newPage({ baseURL: world.origin });
  await elsewhere.goto('/login');
  await signIn(elsewhere, { email: victim.email, password: 'of the attacker', name: '', id: '' });
  await expect(elsewhere.getByRole('alert')).toHaveText('Incorrect email or password.');
  await elsewhere.goto(String(link));
  await elsewhere.getByRole('button', { name: 'Confirm Email' }).click();
  await elsewhere.getByLabel('Full name').fill('Attacker');
  await elsewhere.getByLabel('Password', { exact: true }).fill('of the attacker');
  await elsewhere.getByLabel('Confirm password').fill('of the attacker');
  await elsewhere.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(elsewhere.getByRole('alert')).toContainText('That is not the code we sent.');

  await elsewhere.close();
  await page.reload();
  await expect(greeting(page, 'Victim')).toBeVisible();
  expect(await idOf(page)).toBe(id);
});

test('an address first used with a provider gets no second account with a password, and its owner is told how to sign in', async ({
  page,
  world,
}) => {
  const grace = stranger('Grace');
  await openDashboardBy(page, 'Google', grace);
  await signOut(page);
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Eve');
  await page.getByLabel('Email').fill(grace.email);
  await page.getByLabel('Password', { exact: true }).fill('another horse');
  await page.getByLabel('Confirm password').fill('another horse');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('alert')).toContainText('Sign in, with Google or GitHub if you made it there');
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(grace.email);
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  expect((await world.mailTo(grace.email)).subject).toBe('You sign in to Selfsame with Google');
});

test('signing out of a provider’s session ends it at Cognito too', async ({ page, world }) => {
  await openDashboardBy(page, 'Google', stranger('Grace'));
  const refreshToken = await storedToken(page, 'refreshToken');
  await signOut(page);
  expect(await leftBehind(page)).toEqual([0, 0, '']);
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  await expect(
    world.cognito('GetTokensFromRefreshToken', { ClientId, RefreshToken: refreshToken }),
  ).rejects.toThrow('NotAuthorizedException');

  // The next user of this browser is asked to sign in.
  await page.goto('/login');
  await goTo(page, 'Google');
  await expect(page.getByRole('heading', { name: 'Sign in with Google' })).toBeVisible();
});

test('neither code nor token stays in an address or is in a Referer', async ({ page }) => {
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

test('opening another tab does not interrupt a sign-in', async ({ page, context }) => {
  const grace = stranger('Grace');
  await page.goto('/login');
  await goTo(page, 'Google');
  await page.getByLabel('Name').waitFor();

  const other = await context.newPage();
  await other.goto('/forgot-password');
  await other.getByLabel('Email').fill(grace.email);
  await other.getByRole('button', { name: 'Send Link' }).click();
  await expect(other.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  // A tab with Amplify whose form was never sent.
  const idle = await context.newPage();
  const errors = errorsOf(idle);
  const amplify = idle.waitForResponse(/\/assets\/Amplify/);
  await idle.goto('/login');
  await amplify;

  await be(page, grace);
  await expect(page).toHaveURL('/dashboard');
  await expect(greeting(page, 'Grace')).toBeVisible();
  await expect(idle).toHaveURL('/dashboard');
  expect(errors).toEqual([]);
  await other.goto('/dashboard');
  await expect(greeting(other, 'Grace')).toBeVisible();
});

test('a user who goes back from the provider can sign in with a password', async ({ page, account }) => {
  await page.goto('/login');
  await goTo(page, 'Google');
  await page.getByLabel('Name').waitFor();
  await page.goBack();
  await signIn(page, account);
  await expect(page).toHaveURL('/dashboard');
});

test('an answer that this tab did not ask for is refused, and its text is not shown', async ({ page }) => {
  await page.goto('/dashboard?code=stolen&state=guessed');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toHaveText(
    'This sign-in was not started here, or is already finished. Please try again.',
  );
  await page.goto('/dashboard?error=x&error_description=Call+555-0100&state=guessed');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByText('555-0100')).toHaveCount(0);
});

test('an unrequested answer keeps the signed-in session', async ({ page, account, world }) => {
  await openDashboard(page, account, world);
  await page.goto('/dashboard?code=stolen&state=guessed');
  await expect(page).toHaveURL('/dashboard');
  expect(await idOf(page)).toBe(account.id);
});
