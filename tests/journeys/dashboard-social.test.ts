import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, greeting, openDashboard, test } from '../fixtures/browser/journey.ts';
import { expectNoAxeViolations } from '../fixtures/browser/page-checks.ts';

for (const provider of ['Google', 'GitHub'] as const) {
  test.describe(`a user who signs in with ${provider}`, () => {
    const be = async (page: Page, email: string): Promise<void> => {
      // The dashboard, which may still show, has a field of the same name.
      const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
      await signIn.waitFor();
      await page.getByLabel('Name').fill('Grace Hopper');
      await page.getByLabel('Email').fill(email);
      await signIn.click();
    };

    const openAsNewUser = async (page: Page): Promise<string> => {
      const email = `grace.${randomUUID()}@example.com`;
      await page.goto('/dashboard');
      await page.getByRole('button', { name: `Continue with ${provider}` }).click();
      await be(page, email);
      await greeting(page, 'Grace Hopper').waitFor();
      return email;
    };

    test('sees the provider instead of a form for a new password', async ({ page }) => {
      let asked = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/api/sessions')) asked += 1;
      });
      await openAsNewUser(page);
      const password = page.getByRole('region', { name: 'Your password' });
      await expect(password).toContainText(`You sign in with ${provider}`);
      await expect(password.getByRole('textbox')).toHaveCount(0);
      const ways = page.getByRole('region', { name: 'How you sign in' });
      await expect(ways.getByRole('listitem').first()).toHaveText(
        `${provider}You made your account with it.`,
      );
      await expect(ways.getByRole('list')).toHaveAttribute('aria-busy', 'false');
      expect(asked).toBe(1);
    });

    test('deletes the account without a password while the sign-in is fresh', async ({ page }) => {
      await openAsNewUser(page);
      await page.getByRole('button', { name: 'Delete My Account...' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
      await expect(dialog.getByLabel('Password')).toHaveCount(0);
      await dialog.getByRole('button', { name: 'Delete My Account' }).click();
      await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
      // Cognito keeps its own session, which would sign in the next user of this browser unasked.
      const hosted = async () => (await page.context().cookies()).map(({ name }) => name);
      expect(await hosted()).toContain('cognito');
      await page.getByRole('link', { name: 'Go to Home Page' }).click();
      await expect(page).toHaveURL('/');
      expect(await hosted()).not.toContain('cognito');
    });

    test('signs in again to delete the account later, and returns to the same place', async ({
      page,
      world,
    }) => {
      const email = await openAsNewUser(page);
      await world.advance('PT20M');
      await page.getByRole('button', { name: 'Delete My Account...' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
      const remove = dialog.getByRole('button', { name: 'Delete My Account' });
      await remove.click();
      await expect(dialog.getByText(/Please sign in again first/)).toBeVisible();
      await dialog.getByRole('button', { name: `Sign in again with ${provider}` }).click();
      await be(page, email);
      await expect(page).toHaveURL('/dashboard#delete-account');
      await expect(page.getByRole('region', { name: 'Delete your account' })).toBeInViewport();
      await page.getByRole('button', { name: 'Delete My Account...' }).click();
      await remove.click();
      await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
      const rows = await world.get<{ id: string }[]>('/__local/tables/UserPlans');
      const mail = await world.mailTo(email);
      expect(mail.subject).toMatch(/deleted/i);
      expect(JSON.stringify(rows)).not.toContain(email);
    });
  });
}

test('a user with a password connects Google, and disconnects it', async ({ page, account, world }) => {
  const email = account.email;
  const ways = page.getByRole('region', { name: 'How you sign in' });
  const signInWithGoogle = async () => {
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.getByLabel('Name').fill(account.name);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await openDashboard(page, account, world);

  await ways.getByRole('button', { name: 'Connect Google' }).click();
  await ways.getByRole('button', { name: 'Cancel' }).click();
  await expect(ways.getByRole('button', { name: 'Connect Google' })).toBeFocused();
  await ways.getByRole('button', { name: 'Connect Google' }).click();
  await ways.getByLabel('Password', { exact: true }).fill(account.password);
  await ways.getByRole('button', { name: 'Connect Google' }).click();
  await signInWithGoogle();
  await signInWithGoogle();
  await expect(ways.getByRole('button', { name: 'Disconnect Google' })).toBeVisible();

  await ways.getByRole('button', { name: 'Disconnect Google' }).click();
  await ways.getByLabel('Password', { exact: true }).fill(account.password);
  await expectNoAxeViolations(page, 'a form that disconnects Google');
  await ways.getByRole('button', { name: 'Disconnect Google' }).click();
  await expect(ways.getByText(/Google is disconnected/)).toBeVisible();
  await expect(ways.getByRole('button', { name: 'Connect Google' })).toBeVisible();
  expect((await world.mailTo(email)).subject).toBe('Google no longer opens your Selfsame account');
});
