import type { Page } from 'playwright/test';
import {
  errorsOf,
  expect,
  greeting,
  holdTimers,
  NOTHING_STORED,
  signIn,
  signInAtProvider,
  signOut,
  storedIn,
  test,
} from '../fixtures/browser/journey.ts';
import { newUser } from '../fixtures/worlds/hosted-sign-in.ts';

type Provider = 'Google' | 'GitHub';

const goTo = (page: Page, provider: Provider): Promise<void> =>
  page.getByRole('button', { name: `Continue with ${provider}` }).click();

/** The Cognito `sub` of the signed-in user. */
const idOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const [, token = ''] = Object.entries(localStorage).find(([key]) => key.endsWith('.idToken')) ?? [];
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(payload)) as { sub: string }).sub;
  });

/** An address that still has an answer of the provider or Cognito. */
const WITH_ANSWER = /[?&#](code|state|[a-z]+_token)=/;

test('a new user of GitHub’s is refused, begins, signs out and is known again', async ({ page, world }) => {
  const provider = 'GitHub';
  const alert = page.getByRole('alert');
  const grace = newUser();
  await page.goto('/login');
  await goTo(page, provider);
  await page.getByRole('button', { name: 'Fail' }).click();
  await expect(page).toHaveURL('/login');
  await expect(alert).not.toBeEmpty();
  await page.getByLabel('Email').fill('a');
  await expect(alert).toBeHidden();
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(alert).toBeHidden();
  await goTo(page, provider);
  await signInAtProvider(page, grace, { verified: false });
  await expect(page).toHaveURL('/login');
  await expect(alert).toContainText(provider);
  await expect(alert).toContainText('verified');

  await goTo(page, provider);
  await signInAtProvider(page, grace);
  await greeting(page, grace.name).waitFor();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(grace.email);
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText('Free');
  const id = await idOf(page);
  expect(await world.rowOf(id)).toMatchObject({ plan: 'free' });
  const entries = await page.evaluate(() =>
    (globalThis as unknown as { navigation: { entries: () => { url: string }[] } }).navigation
      .entries()
      .map(({ url }) => url),
  );
  expect(entries.length).toBeGreaterThan(0);
  for (const address of entries) expect(address).not.toMatch(WITH_ANSWER);

  await signOut(page);
  expect(await storedIn(page)).toEqual(NOTHING_STORED);

  // Cognito has ended its session too: the next user of this browser is asked to sign in.
  await page.goto('/login');
  await goTo(page, provider);
  await expect(page.getByRole('heading', { name: `Sign in with ${provider}` })).toBeVisible();
  await page.getByRole('button', { name: grace.email }).click();
  await expect(page).toHaveURL('/dashboard');
  expect(await idOf(page)).toBe(id);
});

test('the sign-in ends on the requested page, also after detours', async ({ page, account, world }) => {
  await page.goto('/checkout?plan=plus');
  await goTo(page, 'Google');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('The sign-in was canceled.')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Full name').waitFor();
  await goTo(page, 'GitHub');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/signup');
  await expect(page.getByText('The sign-in was canceled.')).toBeFocused();
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await signIn(page, account);
  await expect(page).toHaveURL('/checkout?plan=plus');
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();

  await signOut(page);
  await goTo(page, 'GitHub');
  await expect(page.getByLabel('The address is verified')).toBeVisible();
  await world.advance('PT11M');
  await signInAtProvider(page, newUser());
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toHaveText(/^The sign-in with GitHub took too long/);
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Full name').waitFor();
  await goTo(page, 'GitHub');
  await signInAtProvider(page, newUser());
  await expect(page).toHaveURL('/checkout?plan=plus');
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
});

test('the sign-in page marks the way in, and another way is new or linked', async ({ page, account }) => {
  await page.goto('/login');
  await goTo(page, 'Google');
  await page.getByLabel('Name').waitFor();
  await page.goBack();
  await signIn(page, account);
  await expect(page).toHaveURL('/dashboard');
  await signOut(page);

  await page.goto('/login');
  await expect(page.getByText('Last used')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Last used' })).toHaveCount(0);
  await goTo(page, 'GitHub');
  await signInAtProvider(page, newUser());
  const profile = page.getByRole('region', { name: 'Profile' });
  await expect(profile).toContainText('This sign-in made a new account.');
  await expect(profile).toContainText('last signed in with an email address and a password');
  await signOut(page);
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Continue with GitHub Last used' })).toBeVisible();

  await goTo(page, 'Google');
  const email = account.email.toUpperCase();
  const passTwoSeconds = await holdTimers(page, 2_000);
  await signInAtProvider(page, { name: account.name, email });
  // Cognito fails the sign-in that links the accounts, and the site starts it again by itself.
  await expect(page.getByRole('heading', { name: 'Google now opens your account' })).toBeFocused();
  await expect(page.getByText('Google asks you once more, and then you are signed in.')).toBeVisible();
  await passTwoSeconds();
  await page.getByRole('button', { name: email }).click();
  await expect(page).toHaveURL('/dashboard');
  expect(await idOf(page)).toBe(account.id);
});

test('opening another tab does not interrupt a sign-in', async ({ page, context }) => {
  const grace = newUser('Grace');
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
  const amplify = idle.waitForResponse(/\/assets\/sign-in-/);
  await idle.goto('/login');
  await amplify;

  await signInAtProvider(page, grace);
  await expect(page).toHaveURL('/dashboard');
  await expect(greeting(page, 'Grace')).toBeVisible();
  await expect(idle).toHaveURL('/dashboard');
  expect(errors).toEqual([]);
  await other.goto('/dashboard');
  await expect(greeting(other, 'Grace')).toBeVisible();
});
