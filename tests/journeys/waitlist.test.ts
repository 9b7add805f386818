import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { applicationStarted, expect, test } from '../fixtures/browser/journey.ts';

async function join(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Join the Waitlist' }).click();
}

const address = () => `ada.${randomUUID()}@example.com`;
const joined = (page: Page) => page.getByRole('heading', { name: "You're on the list!" });

test('a visitor joins the list once, in any case, and sees the progress', async ({ page, world }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/waitlist', async (route) => {
    await answered;
    await route.continue();
  });
  const email = address();
  await page.goto('/waitlist');
  await join(page, '  Ada Lovelace ', email.toUpperCase());
  await expect(page.getByRole('button', { name: 'Joining...' })).toBeVisible();
  answer();
  await expect(joined(page)).toBeFocused();
  const rows = await world.get<{ email: string; name: string }[]>('/__local/tables/Waitlist');
  expect(rows).toContainEqual(expect.objectContaining({ email, name: 'Ada Lovelace' }));
  // The page needs no session, so it loads no account code.
  expect(scripts.filter((url) => /\/account-/.test(url))).toEqual([]);
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');

  await page.goto('/waitlist');
  await join(page, 'Ada', ` ${email}`);
  const refusal = page.getByRole('alert');
  await expect(refusal).toHaveText('This email is already on the waitlist');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill('another@example.com');
  await expect(refusal).toBeHidden();
});

test('what can’t be sent is refused with the reason, and what fails is kept', async ({ page }) => {
  let calls = 0;
  await page.route('**/api/waitlist', (route) => {
    calls += 1;
    return route.abort();
  });
  await page.goto('/waitlist');
  await join(page, '', address());
  await expect(page.getByLabel('Name')).toBeFocused();
  await join(page, 'Ada', 'no address');
  await expect(page.getByLabel('Email')).toBeFocused();
  expect(calls).toBe(0);

  await page.unroute('**/api/waitlist');
  const reason = "Your name has a character that can't be seen. Please type it again.";
  await join(page, 'Ada \u{0}evE', address());
  await expect(page.getByRole('alert')).toHaveText(reason);
  const field = page.getByRole('textbox', { name: 'Name', description: reason });
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');

  await page.route('**/api/waitlist', (route) =>
    route.fulfill({ status: 500, json: { error: 'Something went wrong', code: 'internal' } }),
  );
  await page.goto('/waitlist');
  // It fills in what was typed before.
  await applicationStarted(page);
  await join(page, 'Ada', address());
  await expect(page.getByRole('alert')).toHaveText('Failed to add to waitlist. Please try again.');
  await expect(page.getByLabel('Name')).toHaveValue('Ada');
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Ada');
  await page.unroute('**/api/waitlist');
  await page.route('**/api/waitlist', (route) => route.abort(), { times: 1 });
  const again = page.getByRole('button', { name: 'Join the Waitlist' });
  await again.click();
  await expect(page.getByRole('alert')).toHaveText('Network error. Please try again.');
  await again.click();
  await expect(joined(page)).toBeVisible();
});
