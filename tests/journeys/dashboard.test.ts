import type { Locator, Page } from 'playwright/test';
import {
  expect,
  greeting,
  leadToSettings,
  loseTheAnswer,
  NOTHING_STORED,
  openDashboard,
  openSettings,
  signIn,
  signInByStorage,
  storedIn,
  test,
} from '../fixtures/browser/journey.ts';
import { expectAccessible } from '../fixtures/browser/page-checks.ts';

const setting = (page: Page, name: string): Locator => page.getByRole('region', { name });

/** Opens the form of a setting, such as `Your name`. */
async function openForm(page: Page, name: string): Promise<Locator> {
  const row = setting(page, name);
  await row.getByRole('button', { name: `Change ${name.toLowerCase()}` }).click();
  return row;
}

/** Fills in the open form of the password. */
async function fillPasswords(page: Page, current: string, next: string): Promise<Locator> {
  const password = setting(page, 'Password');
  await password.getByLabel('Current password').fill(current);
  await password.getByLabel('New password').fill(next);
  await password.getByLabel('Confirm password').fill(next);
  return password;
}

test('the dashboard has first steps, the user, dates and features', async ({ page, account, world }) => {
  await openDashboard(page, account, world);
  const steps = page.getByRole('region', { name: /^Get started/ });
  await expect(steps.getByRole('heading')).toHaveText('Get started · 0 of 3');
  await expect(steps.getByRole('link', { name: 'Download for Mac' })).toHaveAttribute('href', /\.dmg$/);
  const profile = setting(page, 'Profile');
  await expect(profile).toContainText(account.email);
  await expect(profile.getByText('Free', { exact: true })).toBeVisible();
  await expect(profile.getByRole('time')).toHaveCount(2);
  const plan = setting(page, 'Your plan');
  await expect(plan).toContainText('20 AI requests per day');
  await expect(plan.getByRole('link', { name: 'Upgrade to Plus' })).toHaveAttribute('href', '/pricing');
  // A single next step has the weight.
  await expect(page.locator('main [data-tone="primary"]')).toHaveText(['Upgrade to Plus']);
  await expect(profile.getByRole('button', { name: 'Sign Out' })).toBeVisible();

  await expectAccessible(page, 'the dashboard');
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(steps).toBeHidden();
  await page.setViewportSize({ width: 1_440, height: 800 });
  // The server knows that an app has signed in.
  await page.route('**/api/sessions', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { sessions: object[] };
    const [session] = answer.sessions;
    const app = { ...session, id: 'app', kind: 'app', name: 'https://app.test/', isCurrent: false };
    await route.fulfill({ response, json: { ...answer, sessions: [...answer.sessions, app] } });
  });
  await page.reload();
  await expect(steps.getByRole('heading')).toHaveText('Get started · 2 of 3');
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  for (const name of ['Download for Mac', /sign in/, /Command\+G/]) {
    await steps.getByRole('checkbox', { name }).click();
  }
  await expect(steps.getByRole('heading')).toHaveText('Get started · 3 of 3');
  const stored = () => page.evaluate("caches.match('/first-steps').then((kept) => kept.text())");
  await expect.poll(stored).toMatch('press');

  // A missing date.
  await page.route('**/api/plan', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), lastSignInAt: null } });
  });
  await page.reload();
  await expect(profile.getByText('N/A')).toHaveCount(1);
  await expect(steps).toHaveCount(0);
  await page.unrouteAll({ behavior: 'wait' });

  const AccessToken = await signInByStorage(page, account, world);
  const UserAttributes = [{ Name: 'name', Value: '' }];
  await world.cognito('UpdateUserAttributes', { AccessToken, UserAttributes });
  await openDashboard(page, { ...account, name: 'User' }, world);
  await expect(profile.getByText('User', { exact: true })).toBeVisible();
  await leadToSettings(page);
  for (const name of ['Your email address', 'Password']) await openForm(page, name);
  await expectAccessible(page, 'the settings with open forms');
  await expect((await openForm(page, 'Your name')).getByLabel('Name')).toHaveValue('');
});

test('a new name is checked, and shows at once in every tab', async ({ page, account, context, world }) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await openSettings(page, account, world);
  const other = await context.newPage();
  await other.goto('/settings');

  const name = await openForm(page, 'Your name');
  await expect(name.getByLabel('Name')).toBeFocused();
  await name.getByLabel('Name').fill('   ');
  await expect(name.getByText('Please enter your name')).toBeVisible();
  await expect(name.getByRole('button', { name: 'Change Name' })).toBeDisabled();
  await name.getByLabel('Name').fill('a'.repeat(101));
  await expect(name.getByText('Your name can have at most 100 characters')).toBeVisible();
  await expect(name.getByRole('button', { name: 'Change Name' })).toBeDisabled();
  // Neither Escape nor Cancel keeps what was typed.
  for (const close of [() => page.keyboard.press('Escape'), () => name.getByText('Cancel').click()]) {
    await close();
    await expect(name.getByRole('textbox')).toHaveCount(0);
    await expect(name.getByRole('button', { name: 'Change your name' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(name.getByLabel('Name')).toHaveValue(account.name);
  }

  const markup = `<img src=x onerror=alert(1)>"'&amp;<b>`;
  await name.getByLabel('Name').fill(`  ${markup} `);
  await name.getByRole('button', { name: 'Change Name' }).click();
  await expect(name.getByText('Your name has been changed.')).toBeVisible();
  await expect(name.getByRole('button', { name: 'Change your name' })).toBeFocused();
  for (const tab of [page, other]) {
    await expect(setting(tab, 'Your name').getByText(markup, { exact: true })).toBeVisible();
  }
  await page.goto('/dashboard');
  await expect(greeting(page, markup)).toBeVisible();
  await expect(page.getByRole('main').locator('img, b')).toHaveCount(0);
  expect(dialogs).toEqual([]);
});

test('a new password signs out every other browser, but no tab of this one, and signing out everywhere asks first, and signs out both', async ({
  page,
  account,
  context,
  world,
  elsewhere: device,
}) => {
  await openSettings(device, account, world);
  await openSettings(page, account, world);
  const other = await context.newPage();
  await other.goto('/settings');
  await expect(setting(other, 'Your name')).toBeVisible();

  await openForm(page, 'Password');
  const password = await fillPasswords(page, 'wrong horse', 'battery staple');
  const change = password.getByRole('button', { name: 'Change Password' });
  await change.click();
  const refusal = password.getByText('That is not your current password. Nothing was changed.');
  await expect(refusal).toBeVisible();
  await password.getByLabel('Current password').fill(account.password);
  await expect(refusal).toBeHidden();
  await change.click();
  await expect(
    password.getByText('Your password has been changed. All your other sessions have ended'),
  ).toBeVisible();
  await expect(password.getByRole('button', { name: 'Change password' })).toBeFocused();
  expect((await world.mailTo(account.email)).subject).toMatch(/password/i);

  // The device's access token is still good by its date; its refresh token is not.
  await world.advance('PT16M');
  await device.goto('/dashboard');
  await expect(device).toHaveURL('/login');
  for (const tab of [page, other]) {
    await tab.goto('/dashboard');
    await expect(greeting(tab, account.name)).toBeVisible();
    await expect(tab.getByRole('heading', { name: 'Your plan' })).toBeVisible();
  }

  await leadToSettings(page);
  await page.getByRole('button', { name: 'Sign Out Everywhere' }).click();
  await page.getByRole('button', { name: 'No, Stay Signed In' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Sign Out Everywhere' }).click();
  await page.getByRole('button', { name: 'Yes, Sign Out Everywhere' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText("You've been signed out everywhere.")).toBeFocused();
  await expect(other).toHaveURL('/login');
  await expect(other.getByText("You've been signed out everywhere.")).toBeVisible();
  expect(await storedIn(page)).toEqual(NOTHING_STORED);
});

test('a password manager leads to a form that says what became of a change', async ({ page, account }) => {
  await page.goto('/.well-known/change-password');
  await signIn(page, account);
  await expect(page).toHaveURL('/settings#change-password');
  await expect(page.getByLabel('Current password')).toBeFocused();
  await page.route('**/*', (route) =>
    route.request().headers()['x-amz-target']?.endsWith('.InitiateAuth') ? route.abort() : route.fallback(),
  );
  const password = await fillPasswords(page, account.password, 'battery staple');
  await password.getByRole('button', { name: 'Change Password' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your password was changed. Sign in with the new one.')).toBeVisible();
  expect(await storedIn(page)).toEqual(NOTHING_STORED);
  await page.unrouteAll({ behavior: 'wait' });
  await signIn(page, { ...account, password: 'battery staple' });
  await expect(page).toHaveURL('/settings#change-password');

  await page.route('**/api/change-password', loseTheAnswer, { times: 1 });
  const lost = await fillPasswords(page, 'battery staple', 'horse battery');
  await lost.getByRole('button', { name: 'Change Password' }).click();
  await expect(lost.getByRole('alert')).toContainText('Your password has been changed');
  await page.reload();
  await expect(setting(page, 'Your name')).toBeVisible();

  await page.route('**/api/change-password', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { success: true, sessionsEnded: false } });
  });
  const open = await fillPasswords(page, 'horse battery', 'staple battery');
  await open.getByRole('button', { name: 'Change Password' }).click();
  await expect(open.getByRole('alert')).toContainText(
    "Your password has been changed, but we couldn't make sure that all your other sessions have ended.",
  );

  await page.route('**/api/end-session', (route) => route.abort());
  await page.getByRole('button', { name: 'Sign Out Everywhere' }).click();
  await page.getByRole('button', { name: 'Yes, Sign Out Everywhere' }).click();
  await expect(page.getByText(/We couldn't sign you out everywhere/)).toBeVisible();
});
