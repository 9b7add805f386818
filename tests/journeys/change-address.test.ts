import type { Locator, Page } from 'playwright/test';
import type { Message } from '../../infra/local/base/inbox.ts';
import { codeIn } from '../fixtures/worlds/account.ts';
import { expect, greeting, openDashboard, signIn, signOut, test } from '../fixtures/browser/journey.ts';
import { expectNoAxeViolations, expectNoHorizontalScrollOfText } from '../fixtures/browser/page-checks.ts';
import type { World } from '../fixtures/worlds/world.ts';

const setting = (page: Page): Locator => page.getByRole('region', { name: 'Your email address' });

/** The newest mail to this address with this subject. */
const mailAbout = async (world: World, to: string, subject: string): Promise<Message> => {
  const mails = await world.get<Message[]>('/__local/mail');
  const mail = mails.find((each) => each.to === to && each.subject.includes(subject));
  if (!mail) throw new Error(`${to} has got no mail about "${subject}".`);
  return mail;
};
const linkIn = ({ links }: Message, path: string): string => {
  const link = links.find((address) => address.includes(path));
  if (link === undefined) throw new Error(`The mail has no link to ${path}.`);
  return link;
};

test('a user changes the address and deletes the account, and the old mailbox takes both back', async ({
  page,
  elsewhere: owner,
  account,
  world,
}) => {
  const newEmail = account.email.replace('ada.', 'new.');
  await openDashboard(page, account, world);
  await page.getByRole('link', { name: 'Change email' }).click();

  const form = setting(page);
  await expect(form.getByLabel('New address')).toBeFocused();
  await form.getByLabel('New address').fill(newEmail);
  await form.getByLabel('Password', { exact: true }).fill(account.password);
  await form.getByRole('button', { name: 'Send Code' }).click();
  await expect(form.getByLabel('Code')).toBeFocused();
  await form.getByRole('button', { name: 'Use another address or get a new code' }).click();
  await expect(form.getByLabel('New address')).toBeFocused();
  await form.getByRole('button', { name: 'Send Code' }).click();
  await expectNoAxeViolations(page, 'the form');

  await form.getByLabel('Code').fill('000000');
  await form.getByRole('button', { name: 'Change Email' }).click();
  await expect(form.getByRole('alert')).toContainText('That is not the code we sent.');
  // Mail programs show a code in groups.
  const code = codeIn((await mailAbout(world, newEmail, 'Your code')).text);
  await form.getByLabel('Code').fill(` ${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(form.getByLabel('Code')).toHaveValue(code);
  await form.getByRole('button', { name: 'Change Email' }).click();
  await expect(form.getByText(`Your address is now ${newEmail}.`)).toBeVisible();
  await expect(form.getByRole('button', { name: 'Change your email address' })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(newEmail);
  // The new tokens have the new address.
  await page.reload();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(newEmail);

  // In another browser, which is the owner's from then on, the new address signs in.
  await owner.goto('/login');
  await signIn(owner, { ...account, email: newEmail });
  await expect(greeting(owner, 'Ada Lovelace')).toBeVisible();
  await signOut(owner);

  // The deletion waits for the earlier address.
  await page.getByRole('button', { name: 'Delete My Account...' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(account.password);
  await dialog.getByRole('button', { name: 'Delete My Account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is closed' })).toBeVisible();
  await expectNoAxeViolations(page, 'the closed account');
  await mailAbout(world, newEmail, 'will be deleted on');
  await mailAbout(world, account.email, 'will be deleted on');

  const requested: string[] = [];
  owner.on('request', (request) => requested.push(request.url()));
  const undoLink = linkIn(await mailAbout(world, account.email, 'is being changed'), '/undo-email');
  // Another link in the same tab counts.
  await owner.goto('/undo-email#another');
  await expect(owner).toHaveURL(`${world.origin}/undo-email`);
  await owner.goto(undoLink);
  await expect(owner).toHaveURL(`${world.origin}/undo-email`);
  await expectNoAxeViolations(owner, 'the undo page');
  await expectNoHorizontalScrollOfText(owner, 'the undo page');
  await owner.getByRole('button', { name: 'Take It Back' }).click();
  await expect(owner.getByRole('heading', { name: 'Your account is yours again' })).toBeVisible();
  await expect(owner.getByText('and will not be deleted')).toBeVisible();
  // The token is in the body of one request, and in no address.
  const [, token = ''] = undoLink.split('#');
  expect(requested.filter((url) => url.includes(token.slice(-43)) && !url.includes('#'))).toEqual([]);

  // The user who changed the address is signed out.
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();

  // The owner chooses a new password, and is in.
  await owner.goto(linkIn(await mailAbout(world, account.email, 'new password'), '/reset-password'));
  await owner.getByLabel('New password').fill('battery staple');
  await owner.getByLabel('Confirm password').fill('battery staple');
  await owner.getByRole('button', { name: 'Update Password' }).click();
  await expect(greeting(owner, 'Ada Lovelace')).toBeVisible();
  await expect(owner.getByRole('region', { name: 'Profile' })).toContainText(account.email);

  await owner.goto(undoLink);
  await owner.getByRole('button', { name: 'Take It Back' }).click();
  await expect(owner.getByText('This link no longer works')).toBeVisible();
});

test('the link without its token says what to do', async ({ page }) => {
  await page.goto('/undo-email');
  await expect(page.getByRole('heading', { name: 'This link is not complete' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Choose a New Password' })).toBeVisible();
});
