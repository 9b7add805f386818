import { defaultProviders, namesOf } from '../../schemas/product/providers.ts';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { browserThatSignsUp, codeIn } from '../fixtures/worlds/account.ts';
import { expect, greeting, mailedLink, signIn, signUp, test } from '../fixtures/browser/journey.ts';
import { expectNoHorizontalScrollOfText } from '../fixtures/browser/page-checks.ts';
import type { World } from '../fixtures/worlds/world.ts';

const newAddress = () => `grace.${randomUUID()}@example.com`;
/** An address of 119 characters that a line can't break. */
const longAddress = () => `grace.${randomUUID()}.${'x'.repeat(20)}@${'d'.repeat(43)}.example.com`;

/** Signs up, and waits until the account has to be confirmed. */
async function begin(page: Page, email: string, password: string): Promise<void> {
  await signUp(page, { name: 'Grace Hopper', email, password });
  await expect(page).toHaveURL(/\/email-confirmation\?.*source=signup/);
}

async function confirmWithNewestMail(page: Page, world: World, email: string): Promise<void> {
  await page.getByLabel('Confirmation code').fill(codeIn((await world.mailTo(email)).text));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
}

async function openAccount(page: Page, email: string, password: string): Promise<void> {
  await signIn(page, { email, password });
  await expect(greeting(page, 'Grace Hopper')).toBeVisible();
}

test('a user who mistypes the address learns that mail to it bounces, at the next code and the next sign-up', async ({
  page,
  world,
}) => {
  const email = newAddress();
  const undeliverable = "We can't email this address: an earlier email bounced";
  await page.goto('/signup');
  await begin(page, email, 'correct horse');
  await world.post(`/__local/mail/${(await world.mailTo(email)).id}/bounce`);
  await page.getByRole('button', { name: 'Resend confirmation email' }).click();
  await expect(page.getByText(undeliverable)).toBeVisible();
  await page.goto('/signup');
  await signUp(page, { name: 'Grace Hopper', email, password: 'correct horse' });
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
  await begin(page, email, 'correct horse');
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
  await expect(refusal).toContainText(`sign in with ${namesOf(defaultProviders)}`);
  await expect(page.getByText('Press once more to confirm')).toBeHidden();
  await refusal.getByRole('link', { name: 'Sign up again' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await begin(page, email, 'battery staple');
  await confirmWithNewestMail(page, world, email);
  await openAccount(page, email, 'battery staple');
});

test('a user who opens the mail’s link in another browser chooses name and password there', async ({
  elsewhere: there,
  page,
  world,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  await begin(page, email, 'typed elsewhere');
  await there.setViewportSize({ width: 390, height: 800 });
  await there.goto(await mailedLink(world, email, '/email-confirmation'));
  await there.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(there.getByText('This browser is not the one that signed up.')).toBeVisible();
  await expect(there.getByLabel('Full name')).toBeFocused();
  await there.getByLabel('Full name').fill('Grace Hopper');
  await there.getByLabel('Password', { exact: true }).fill('battery staple');
  await there.getByLabel('Confirm password').fill('battery staple');
  await there.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(there.getByText('Your email address is confirmed.')).toBeVisible();
  await signIn(there, { email, password: 'typed elsewhere' });
  await expect(there.getByRole('alert')).toHaveText('Incorrect email or password.');
  await openAccount(there, email, 'battery staple');
});

test('a user whose sign-up a stranger replaced confirms it, and is led to a new password; before it is confirmed, a forgotten password leads to signing up again', async ({
  page,
  world,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  await begin(page, email, 'correct horse');
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page).toHaveURL('/signup');
  await expect(page.getByText('This address was never confirmed. Choose a password')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  const before = (await world.mailTo(email)).text;
  await begin(page, email, 'of the owner');
  expect(codeIn((await world.mailTo(email)).text)).not.toBe(codeIn(before));
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  await world.cognito('SignUp', {
    ClientId,
    Username: email,
    Password: 'of the stranger',
    UserAttributes: [{ Name: 'email', Value: email }, browserThatSignsUp().attribute],
  });
  await page.goto(await mailedLink(world, email, '/email-confirmation'));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByRole('alert')).toContainText('Please choose a new one.');
  await page.getByRole('alert').getByRole('link', { name: 'Choose a new password' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('a link to choose a new password is on its way')).toBeVisible();
  await page.goto('/login');
  await signIn(page, { email, password: 'of the stranger' });
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password.');
});
