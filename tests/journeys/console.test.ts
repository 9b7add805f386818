import { expectNoAxeViolations, expectNoHorizontalScroll } from '../fixtures/browser/page-checks.ts';
import { createAccount } from '../fixtures/worlds/account.ts';
import { expect, openDashboard, test } from '../fixtures/browser/journey.ts';

const sections = ['', '/inbox', '/mails', '/payments', '/people', '/rows', '/timetable', '/logs'];

test('one click in the console signs this browser in as any user, in place of the one before', async ({
  account,
  page,
  world,
}) => {
  const other = await createAccount(world);
  await openDashboard(page, account, world);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto('/__local/people');
  await page.getByRole('button', { name: `Sign in as ${other.email}` }).click();
  await page.waitForURL('/dashboard');
  await expect(page.getByText(other.email).first()).toBeVisible();
  await expect(page.getByText(account.email)).toHaveCount(0);
  // The session survives a reload, so it is the one that Amplify reads.
  await page.reload();
  await expect(page.getByText(other.email).first()).toBeVisible();
  expect(errors).toEqual([]);
});

test('the console filters its entries, and leads from a user to the rows and back', async ({
  page,
  world,
}) => {
  const [one, other] = [await createAccount(world), await createAccount(world)];
  await page.goto('/__local/people');
  await page.getByRole('searchbox', { name: 'Filter' }).fill(one.email);
  await expect(page.getByText(other.email)).toBeHidden();
  await page.getByRole('row', { name: one.email }).getByRole('link', { name: 'Rows' }).click();
  const row = page.getByRole('region', { name: /UserPlans/ }).locator('tbody tr:visible');
  await expect(row).toHaveCount(1);
  // The key comes first, and leads to its user.
  await row.getByRole('link').first().click();
  await expect(page.getByText(one.email)).toBeVisible();
  await expect(page.getByText(other.email)).toBeHidden();
});

test('each section of the console fits a phone and is accessible', async ({ page, world }) => {
  // Fills the inbox and the tables.
  await createAccount(world);
  for (const section of sections) {
    await page.goto(`/__local${section}`);
    await expectNoHorizontalScroll(page, section);
    await expectNoAxeViolations(page, section);
  }
});
