import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { AccountExport } from '../../schemas/shapes/account-export.ts';
import {
  expect,
  greeting,
  NOTHING_STORED,
  leadToSettings,
  loseTheAnswer,
  openDashboardOnPlus,
  openSettings,
  storedIn,
  test,
} from '../fixtures/browser/journey.ts';
import { expectAccessible } from '../fixtures/browser/page-checks.ts';

/** Opens the dialog and fills in the password without submitting. */
async function askToDelete(page: Page, password: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Delete My Account...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  return dialog;
}

const pressDelete = (dialog: Locator): Promise<void> =>
  dialog.getByRole('button', { name: 'Delete My Account' }).click();

const farewell = (page: Page): Locator => page.getByRole('heading', { name: 'Your account is deleted' });

test('a user on Plus exports the data and deletes the account', async ({ page, account, world, context }) => {
  await openDashboardOnPlus(page, account, world);
  const row = await world.rowOf(account.id);
  await leadToSettings(page);
  await page.route('**/api/export', (route) => route.abort(), { times: 1 });
  const data = page.getByRole('region', { name: 'Your data' });
  await data.getByRole('button', { name: 'Export My Data' }).click();
  await expect(data.getByRole('alert')).toContainText(`We couldn't reach the server.`);
  const downloading = page.waitForEvent('download');
  await data.getByRole('button', { name: 'Export My Data' }).click();
  const download = await downloading;
  await expect(data.getByRole('alert')).toBeHidden();
  expect(download.suggestedFilename()).toMatch(/^selfsame-data-\d{4}-\d{2}-\d{2}\.json$/);
  const exported = AccountExport.parse(JSON.parse(await readFile(await download.path(), 'utf8')));
  expect(exported.account).toMatchObject({ id: account.id, email: account.email });
  await expect(page.getByText(/Your data is in selfsame-data-/)).toBeVisible();

  const other = await context.newPage();
  await other.goto('/dashboard');
  await expect(greeting(other, account.name)).toBeVisible();
  // The password makes an old session fresh enough.
  await world.advance('PT3H');
  let calls = 0;
  await page.route('**/api/delete-account', (route) => {
    calls += 1;
    return route.fallback();
  });
  const dialog = await askToDelete(page, 'wrong horse');
  await expect(dialog).toContainText('It ends at once, and what you have paid is not refunded.');
  await expect(dialog.getByRole('link', { name: 'cancel Plus' })).toHaveAttribute('href', '/cancel');
  await pressDelete(dialog);
  const refusal = dialog.getByText('That is not your current password. Nothing was changed.');
  await expect(refusal).toBeVisible();
  await expectAccessible(page, 'refused to delete');
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await expect(refusal).toBeHidden();
  await dialog.getByRole('button', { name: 'Keep My Account' }).click();
  await expect(dialog).toBeHidden();
  await expect(greeting(other, account.name)).toBeVisible();
  expect((await world.rowOf(account.id))?.plan).toBe('plus');
  calls = 0;

  await askToDelete(page, account.password);
  await dialog.getByRole('button', { name: 'Delete My Account' }).dblclick();
  await expect(farewell(page)).toBeVisible();
  expect(calls).toBe(1);
  await expect(page.getByText('We sent one last email there')).toBeVisible();
  await expect(page.getByText("Your Plus plan has ended. You won't be charged again.")).toBeVisible();
  expect(await storedIn(page)).toEqual(NOTHING_STORED);
  expect(await world.rowOf(account.id)).toBeUndefined();
  const { status } = await world.stripe.subscriptions.retrieve(String(row?.stripe_subscription_id));
  expect(status).toBe('canceled');
  expect((await world.mailTo(account.email)).subject).toMatch(/deleted/i);
  await expect(other).toHaveURL('/login');
  await expect(other.getByText('Your account was deleted in another tab.')).toBeVisible();

  await page.getByRole('link', { name: 'Go to Home Page' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Get Started' }).first()).toBeVisible();
});

test('a deletion whose request or answer is lost takes another press', async ({ page, account, world }) => {
  await openSettings(page, account, world);
  // Afterwards, the API would refuse the page's other calls, which end the session.
  await page.waitForLoadState('networkidle');
  await page.route('**/api/delete-account', (route) => route.abort(), { times: 1 });
  const dialog = await askToDelete(page, account.password);
  await pressDelete(dialog);
  const unfinished = dialog.getByText('Press the button again to finish.');
  await expect(unfinished).toBeVisible();
  expect(await world.rowOf(account.id)).toBeDefined();

  const answerLost = page.waitForEvent('requestfailed');
  await page.route('**/api/delete-account', loseTheAnswer, { times: 1 });
  await pressDelete(dialog);
  await answerLost;
  await expect(unfinished).toBeVisible();
  expect(await world.rowOf(account.id)).toBeUndefined();

  // API Gateway's own refusal doesn't mean that the account is gone.
  const refusal = { status: 401, json: { message: 'Unauthorized' } };
  await page.route('**/api/delete-account', (route) => route.fulfill(refusal), { times: 2 });
  await pressDelete(dialog);
  await expect(dialog.getByText('Our server is not answering right now.')).toBeVisible();
  await pressDelete(dialog);
  await expect(farewell(page)).toBeVisible();
  expect(await storedIn(page)).toEqual(NOTHING_STORED);
});
