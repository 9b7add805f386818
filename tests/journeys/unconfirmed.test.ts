import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { browserThatSignsUp, codeIn } from '../fixtures/worlds/account.ts';
import { expect, greeting, signIn, test } from '../fixtures/browser/journey.ts';
import { expectNoHorizontalScrollOfText } from '../fixtures/browser/page-checks.ts';
import type { World } from '../fixtures/worlds/world.ts';

const newAddress = () => `grace.${randomUUID()}@example.com`;
/** An address of 119 characters that a line can't break. */
const longAddress = () => `grace.${randomUUID()}.${'x'.repeat(20)}@${'d'.repeat(43)}.example.com`;
const withPassword = (email: string, password: string) => ({ email, password, name: '', id: '' });

/** Fills in the sign-up form, and waits until the account has to be confirmed. */
async function signUp(page: Page, password: string): Promise<void> {
  await page.getByLabel('Full name').fill('Grace Hopper');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page).toHaveURL(/\/email-confirmation\?.*source=signup/);
}

async function confirmWithNewestMail(page: Page, world: World, email: string): Promise<void> {
  await page.getByLabel('Confirmation code').fill(codeIn((await world.mailTo(email)).text));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
}

async function openAccount(page: Page, email: string, password: string): Promise<void> {
  await signIn(page, withPassword(email, password));
  await expect(greeting(page, 'Grace Hopper')).toBeVisible();
}

test('a user who mistypes the address learns that mail to it bounces, at the next code and the next sign-up', async ({
  page,
  world,
}) => {
  const email = newAddress();
  const undeliverable = "We can't email this address: an earlier email bounced";
  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await signUp(page, 'correct horse');
  await world.post(`/__local/mail/${(await world.mailTo(email)).id}/bounce`);
  await page.getByRole('button', { name: 'Resend confirmation email' }).click();
  await expect(page.getByText(undeliverable)).toBeVisible();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Grace Hopper');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByLabel('Confirm password').fill('correct horse');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('alert')).toContainText(undeliverable);
  await expect.poll(() => world.output.join('\n')).toContain('mail-returned');
  await world.post(`/__local/suppressed/${email}/remove`);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page).toHaveURL(/\/email-confirmation\?.*source=signup/);
});

test('a user who forgot to confirm, and returns a week later, signs up again from the old mail', async ({
  page,
  world,
}) => {
  const email = longAddress();
  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await signUp(page, 'correct horse');
  await expect(page.getByText(`Type the six digits we sent to ${email}`)).toBeVisible();
  await expectNoHorizontalScrollOfText(page, 'the confirmation of a long address');
  const [oldLink] = (await world.mailTo(email)).links;
  await page.goto('/');
  await world.advance('P7D');

  await page.goto(String(oldLink));
  await expect(page.getByText('Press once more to confirm')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  const refusal = page.getByRole('alert');
  await expect(refusal).toContainText("This code doesn't work, or no longer works.");
  await expect(refusal).toContainText('sign in with Google or GitHub');
  await expect(page.getByText('Press once more to confirm')).toBeHidden();
  await refusal.getByRole('link', { name: 'Sign up again' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await signUp(page, 'battery staple');
  await confirmWithNewestMail(page, world, email);
  await openAccount(page, email, 'battery staple');
});

test('an address that a stranger has typed is claimed by its owner by mail, with a password of her own', async ({
  page,
  world,
}) => {
  const email = newAddress();
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  await world.cognito('SignUp', {
    ClientId,
    Username: email,
    Password: 'of the stranger',
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'name', Value: 'Stranger' },
    ],
  });
  await world.mailTo(email);

  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await signUp(page, 'of the owner');
  await confirmWithNewestMail(page, world, email);
  await signIn(page, withPassword(email, 'of the stranger'));
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password.');
  await openAccount(page, email, 'of the owner');
});

test('a user who opens the mail’s link in another browser chooses name and password there', async ({
  browser,
  page,
  world,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await signUp(page, 'typed elsewhere');
  const link = (await world.mailTo(email)).links.find((address) => address.includes('/email-confirmation'));
  const phone = await browser.newContext({ baseURL: world.origin, viewport: { width: 390, height: 800 } });
  const there = await phone.newPage();
  await there.goto(String(link));
  await there.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(there.getByText('This browser is not the one that signed up.')).toBeVisible();
  await expect(there.getByLabel('Full name')).toBeFocused();
  await there.getByLabel('Full name').fill('Grace Hopper');
  await there.getByLabel('Password', { exact: true }).fill('battery staple');
  await there.getByLabel('Confirm password').fill('battery staple');
  await there.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(there.getByText('Your email address is confirmed.')).toBeVisible();
  await signIn(there, withPassword(email, 'typed elsewhere'));
  await expect(there.getByRole('alert')).toHaveText('Incorrect email or password.');
  await openAccount(there, email, 'battery staple');
  await phone.close();
});

test('a user whose sign-up a stranger replaced confirms it, and is led to a new password', async ({
  page,
  world,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await signUp(page, 'of the owner');
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  await world.cognito('SignUp', {
    ClientId,
    Username: email,
    Password: 'of the stranger',
    UserAttributes: [{ Name: 'email', Value: email }, browserThatSignsUp().attribute],
  });
  const { links } = await world.mailTo(email);
  await page.goto(String(links.find((address) => address.includes('/email-confirmation'))));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByRole('alert')).toContainText('Please choose a new one.');
  await page.getByRole('alert').getByRole('link', { name: 'Choose a new password' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('a link to choose a new password is on its way')).toBeVisible();
  await page.goto('/login');
  await signIn(page, withPassword(email, 'of the stranger'));
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password.');
});

test('a forgotten password of an account that was never confirmed leads to signing up again', async ({
  page,
  world,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await signUp(page, 'correct horse');
  await world.mailTo(email);

  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page).toHaveURL('/signup');
  await expect(page.getByText('This address was never confirmed. Choose a password')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  const before = (await world.mailTo(email)).text;
  await signUp(page, 'battery staple');
  expect(codeIn((await world.mailTo(email)).text)).not.toBe(codeIn(before));
});
