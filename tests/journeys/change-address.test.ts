import type { Locator, Page } from 'playwright/test';
import type { Account } from '../fixtures/worlds/account.ts';
import { expect, mailedLink, openSettings, test } from '../fixtures/browser/journey.ts';
import { expectAccessible } from '../fixtures/browser/page-checks.ts';

const setting = (page: Page): Locator => page.getByRole('region', { name: 'Your email address' });
const newAddressOf = ({ email }: Account): string => email.replace('ada.', 'new.');

async function request(page: Page, account: Account): Promise<void> {
  const form = setting(page);
  await form.getByLabel('New address').fill(newAddressOf(account));
  await form.getByLabel('Password', { exact: true }).fill(account.password);
  await form.getByRole('button', { name: 'Request Change' }).click();
  await expect(form.getByText("We've emailed both addresses.")).toBeVisible();
}

test('an address changes once both mailboxes agree', async ({ page, elsewhere: mailbox, account, world }) => {
  const newEmail = newAddressOf(account);
  await openSettings(page, account, world);
  await setting(page).getByRole('button', { name: 'Change your email address' }).click();
  await expect(setting(page).getByLabel('New address')).toBeFocused();
  await request(page, account);
  await expect(setting(page).getByRole('button', { name: 'Change your email address' })).toBeFocused();
  await expect(setting(page)).toContainText('once you press two buttons');
  await expectAccessible(page, 'the waiting change');

  // Another link in the same tab counts. Each token is in the body of one request, and in no address.
  const requested: string[] = [];
  mailbox.on('request', (sent) => requested.push(sent.url().replace(/#.*/, '')));
  const proof = await mailedLink(world, newEmail, '/address-change');
  await mailbox.goto('/address-change?mailbox=new');
  await expect(mailbox.getByRole('heading', { name: 'This link is not complete' })).toBeVisible();
  await mailbox.goto(`/address-change?mailbox=new#${'a'.repeat(43)}`);
  await mailbox.goto(proof);
  await expect(mailbox).toHaveURL('/address-change?mailbox=new');
  await mailbox.getByRole('button', { name: 'Use This Address' }).click();
  await expect(mailbox.getByText('Approve the change with our email to your present address.')).toBeVisible();
  await page.reload();
  await expect(setting(page)).toContainText('once you press the button in our email to your current address');

  await mailbox.goto(await mailedLink(world, account.email, '/address-change'));
  await expect(mailbox.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(mailbox, 'the page for the present mailbox');
  await mailbox.getByRole('button', { name: 'It Was Me: Change It' }).click();
  await expect(mailbox.getByRole('heading', { name: 'Your address has changed' })).toBeFocused();
  const [, token = ''] = proof.split('#');
  expect(requested.filter((url) => url.includes(token))).toEqual([]);
  await page.reload();
  await expect(setting(page)).not.toContainText('becomes your address');
});

test('a change is taken back, or stopped by mail', async ({ page, elsewhere: mailbox, account, world }) => {
  await openSettings(page, account, world);
  await setting(page).getByRole('button', { name: 'Change your email address' }).click();
  await request(page, account);
  await setting(page).getByRole('button', { name: 'Cancel the change' }).click();
  await expect(setting(page).getByText('The change is canceled.')).toBeFocused();
  await mailbox.goto(await mailedLink(world, newAddressOf(account), '/address-change'));
  await mailbox.getByRole('button', { name: 'Use This Address' }).click();
  await expect(mailbox.getByRole('heading', { name: 'This link no longer works' })).toBeFocused();

  await setting(page).getByRole('button', { name: 'Change your email address' }).click();
  await request(page, account);
  await mailbox.goto(await mailedLink(world, account.email, '/address-change'));
  // The password has begun a session, and its tokens say when to the second.
  await world.advance('PT2S');
  await mailbox.getByRole('button', { name: 'Stop the Change' }).click();
  await expect(mailbox.getByRole('heading', { name: 'The change is stopped' })).toBeFocused();
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
});
