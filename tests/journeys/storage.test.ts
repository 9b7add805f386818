import { applicationStarted, errorsOf, expect, greeting, signIn, test } from '../fixtures/browser/journey.ts';

// Chromium throws this where all cookies are blocked. Amplify asks for both storages as it loads.
const FORBID = `
  const denied = () => new DOMException('Access is denied for this document.', 'SecurityError');
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
    Object.defineProperty(window, name, { get() { throw denied(); } });
  }
  Object.defineProperty(Document.prototype, 'cookie', {
    get() { throw denied(); },
    set() { throw denied(); },
  });
  LockManager.prototype.request = async () => { throw denied(); };
`;

const NEEDS = "Signing in needs cookies and site data, which your browser doesn't allow here";

test('where storage is forbidden, pages say what signing in needs, and a session lasts until a reload', async ({
  page,
  account,
  world,
}) => {
  await page.addInitScript(FORBID);
  const faults = errorsOf(page);
  for (const [path, heading] of [
    ['/signup', 'Create your account'],
    ['/email-confirmation?email=ada%40example.com', 'Check your email'],
    [`/reset-password?access_token=${'a'.repeat(43)}&refresh_token=ada`, 'Choose a new password'],
    ['/login', 'Welcome back'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading);
    await expect(page.getByText(NEEDS)).toBeVisible();
    expect({ path, faults }).toEqual({ path, faults: [] });
  }
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect(page.getByText('Continuing with Google needs your browser')).toBeVisible();
  for (const [path, heading] of [
    ['/pricing', 'Start free.'],
    ['/forgot-password', 'Forgot your password?'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading, { ignoreCase: true });
    await applicationStarted(page);
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
    await expect(page.getByText(NEEDS)).toHaveCount(0);
    expect({ path, faults }).toEqual({ path, faults: [] });
  }

  await page.goto('/oauth/demo');
  await page.getByRole('button', { name: 'Start OAuth Flow' }).click();
  await expect(page.getByText('Your browser must let this site store data')).toBeVisible();
  const query = new URLSearchParams({ provider: 'google', redirect_uri: `${world.origin}/oauth/demo` });
  await page.goto(`/oauth/start?${query.toString()}`);
  await expect(page.getByText('The sign-in failed, and the app has been told.')).toBeVisible();
  await expect(page.getByText('Your browser must let this site store data')).toBeVisible();

  faults.length = 0;
  await page.goto('/dashboard');
  await expect(page.getByText('stay signed in until you reload or close this page')).toBeVisible();
  await signIn(page, account);
  await expect(page).toHaveURL('/dashboard');
  await expect(greeting(page, account.name)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(account.email);
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, account);
  await expect(page).toHaveURL('/dashboard');
  await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
  const free = page.getByRole('region', { name: 'Free' });
  await expect(free.getByText('Current Plan', { exact: true })).toBeVisible();
  // Amplify warns of an endpoint that isn't AWS's own.
  expect(faults.filter((fault) => !fault.includes('custom Amazon'))).toEqual([]);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
});
