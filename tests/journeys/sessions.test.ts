import { product } from '../../schemas/product/product.ts';
import type { Message } from '../../infra/local/base/inbox.ts';
import {
  expect,
  greeting,
  leadToSettings,
  openSettings,
  signIn,
  signOut,
  test,
} from '../fixtures/browser/journey.ts';
import { expectAccessible } from '../fixtures/browser/page-checks.ts';

test('the settings list another browser, and end its session', async ({ page, account, world, browser }) => {
  const sessions = page.getByRole('region', { name: "Where you're signed in" });
  const mailed = async () =>
    (await world.get<Message[]>('/__local/mail')).filter(
      ({ to, subject }) => to === account.email && subject === `New sign-in to your ${product.name} account`,
    ).length;
  await openSettings(page, account, world);
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expect(sessions.getByRole('listitem')).toContainText('This browser');
  expect(await mailed()).toBe(0);

  const far = await browser.newContext({
    baseURL: world.origin,
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0',
  });
  const device = await far.newPage();
  await device.goto('/login');
  await signIn(device, account);
  await expect(greeting(device, account.name)).toBeVisible();
  await leadToSettings(device);
  await expect(
    device.getByRole('region', { name: "Where you're signed in" }).getByRole('listitem'),
  ).toHaveCount(2);
  await expect.poll(mailed).toBe(1);
  // Signed in again, it is the same browser with another session.
  await signOut(device);
  await signIn(device, account);
  await expect(device).toHaveURL('/settings');

  await page.reload();
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page, 'two sessions');
  await sessions.getByRole('button', { name: 'Sign Out of Firefox on Windows' }).click();
  await expect(sessions.getByText('Firefox on Windows has been signed out.')).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await device.goto('/pricing');
  await expect(device.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
  expect(await mailed()).toBe(1);
  await far.close();
});
