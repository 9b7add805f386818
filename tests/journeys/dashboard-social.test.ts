import type { Page } from 'playwright/test';
import { product } from '../../schemas/product/product.ts';
import {
  expect,
  greeting,
  leadToSettings,
  openSettings,
  signInAtProvider,
  test,
} from '../fixtures/browser/journey.ts';
import { newUser } from '../fixtures/worlds/hosted-sign-in.ts';

/** Opens the dashboard as a new user of GitHub's. Returns the user's address. */
async function openAsNewUser(page: Page): Promise<string> {
  const user = newUser();
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await signInAtProvider(page, user);
  await greeting(page, user.name).waitFor();
  return user.email;
}

async function pressDelete(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete My Account...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog.getByLabel('Password')).toHaveCount(0);
  await expect(dialog).toContainText('Your Free plan.');
  await dialog.getByRole('button', { name: 'Delete My Account' }).click();
}

const farewell = (page: Page) => page.getByRole('heading', { name: 'Your account is deleted' });

test('a user of GitHub’s has no password, and signs in again to be deleted', async ({ page, world }) => {
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/sessions')) asked += 1;
  });
  const email = await openAsNewUser(page);
  asked = 0;
  await leadToSettings(page);
  const ways = page.getByRole('region', { name: 'How you sign in' });
  await expect(ways.getByRole('region', { name: 'GitHub' })).toContainText('there is no password here.');
  await expect(ways.getByRole('region', { name: 'Password' })).toHaveCount(0);
  await expect(ways.getByRole('button', { name: 'Connect Google' })).toBeVisible();
  expect(asked).toBe(1);

  await world.advance('PT20M');
  await pressDelete(page);
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog.getByText(/Please sign in again first/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Sign in again with GitHub' }).click();
  await signInAtProvider(page, { name: newUser().name, email });
  await expect(page).toHaveURL('/settings#delete-account');
  await expect(page.getByRole('region', { name: 'Delete your account' })).toBeInViewport();
  await pressDelete(page);
  await expect(farewell(page)).toBeVisible();
  await expect(page.getByText('Your Plus plan has ended')).toBeHidden();
  const rows = await world.get<{ id: string }[]>('/__local/tables/UserPlans');
  expect((await world.mailTo(email)).subject).toMatch(/deleted/i);
  expect(JSON.stringify(rows)).not.toContain(email);
  // Cognito keeps its own session, which would sign in the next user of this browser unasked.
  const hosted = async () => (await page.context().cookies()).map(({ name }) => name);
  expect(await hosted()).toContain('cognito');
  await page.getByRole('link', { name: 'Go to Home Page' }).click();
  await expect(page).toHaveURL('/');
  expect(await hosted()).not.toContain('cognito');
});

test('a user with a password connects Google, and disconnects it', async ({ page, account, world }) => {
  const ways = page.getByRole('region', { name: 'Google' });
  await openSettings(page, account, world);

  await ways.getByRole('button', { name: 'Connect Google' }).click();
  await ways.getByRole('button', { name: 'Cancel' }).click();
  await expect(ways.getByRole('button', { name: 'Connect Google' })).toBeFocused();
  await ways.getByRole('button', { name: 'Connect Google' }).click();
  await ways.getByLabel('Password', { exact: true }).fill(account.password);
  await ways.getByRole('button', { name: 'Connect Google' }).click();
  await signInAtProvider(page, account);
  await signInAtProvider(page, account);
  await expect(ways.getByRole('button', { name: 'Disconnect Google' })).toBeVisible();

  await ways.getByRole('button', { name: 'Disconnect Google' }).click();
  await ways.getByLabel('Password', { exact: true }).fill(account.password);
  await ways.getByRole('button', { name: 'Disconnect Google' }).click();
  await expect(ways.getByText(/Google is disconnected/)).toBeVisible();
  await expect(ways.getByRole('button', { name: 'Connect Google' })).toBeVisible();
  expect((await world.mailTo(account.email)).subject).toBe(
    `Google no longer opens your ${product.name} account`,
  );
});
