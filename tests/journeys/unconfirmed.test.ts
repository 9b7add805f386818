import { defaultProviders, namesOf } from '../../schemas/product/providers.ts';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { browserThatSignsUp, codeIn } from '../fixtures/worlds/account.ts';
import {
  CARDS,
  expect,
  greeting,
  mailedLink,
  pay,
  signIn,
  signOut,
  signUp,
  test,
} from '../fixtures/browser/journey.ts';
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

/** Confirms with the newest mail's code. The tab that signed up knows the password, and signs in. */
async function confirmWithNewestMail(page: Page, world: World, email: string): Promise<void> {
  await page.getByLabel('Confirmation code').fill(codeIn((await world.mailTo(email)).text));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(greeting(page, 'Grace Hopper')).toBeVisible();
}

test('a user who mistypes the address learns that mail to it bounces', async ({ page, world }) => {
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

test('a user who returns a week later signs up again from the old mail', async ({ page, world }) => {
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
  await expect(refusal).toContainText('This link no longer works.');
  await expect(refusal).toContainText(`sign in with ${namesOf(defaultProviders)}`);
  await expect(page.getByText('Press once more to confirm')).toBeHidden();
  await refusal.getByRole('link', { name: 'Sign up again' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await begin(page, email, 'battery staple');
  await confirmWithNewestMail(page, world, email);
});

/** Signs up on the way to the checkout. Resolves with the mail's link. */
async function beginToBuy(page: Page, world: World, email = newAddress()): Promise<string> {
  await page.goto('/signup?to=%2Fcheckout%3Fplan%3Dplus');
  await begin(page, email, 'correct horse');
  return mailedLink(world, email, '/email-confirmation');
}

const press = async (page: Page, link: string): Promise<void> => {
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm Email' }).click();
};

/** The paths that a tab shows from now on, in order. */
function screensOf(page: Page): string[] {
  const screens: string[] = [];
  page.on('framenavigated', (frame) => {
    const { pathname } = new URL(frame.url());
    if (frame === page.mainFrame() && screens.at(-1) !== pathname) screens.push(pathname);
  });
  return screens;
}

test('a link in another tab signs in there, and the first goes on', async ({ page, context, world }) => {
  const screens = screensOf(page);
  const email = newAddress();
  await page.goto('/');
  await page.getByRole('navigation').first().getByRole('link', { name: 'Pricing' }).click();
  await page.getByRole('link', { name: 'Sign in to Upgrade' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Sign Up and Continue' }).click();
  await begin(page, email, 'correct horse');
  const link = await mailedLink(world, email, '/email-confirmation');
  const other = await context.newPage();
  await press(other, link);
  for (const tab of [other, page]) await expect(tab).toHaveURL('/checkout?plan=plus');
  await pay(page, CARDS.pays);
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  const toSignUp = ['/', '/pricing', '/login', '/signup', '/email-confirmation'];
  expect(screens).toEqual([...toSignUp, '/checkout', '/checkout/return']);
  await other.goto(link);
  await expect(other).toHaveURL('/dashboard');
});

test('a user whose first tab is closed or frozen is signed in too', async ({ page, context, world }) => {
  const link = await beginToBuy(page, world);
  const frozen = await context.newCDPSession(page);
  await frozen.send('Page.setWebLifecycleState', { state: 'frozen' });
  const other = await context.newPage();
  await press(other, link);
  await expect(other).toHaveURL('/checkout?plan=plus');
  await frozen.send('Page.setWebLifecycleState', { state: 'active' });
  await page.bringToFront();
  await expect(page).toHaveURL('/checkout?plan=plus');
  await signOut(page);

  const last = await beginToBuy(page, world);
  await page.close();
  await press(other, last);
  await expect(other).toHaveURL('/checkout?plan=plus');
});

test('after a spoiled ticket, or a code and a reload, the password signs in', async ({ page, world }) => {
  const confirmed = page.getByText('Your email address is confirmed. Please sign in with your password.');
  const spoiled = (headers: Record<string, string>) => /RespondTo/.test(headers['x-amz-target'] ?? '');
  await page.route(/:\d+\/$/, (route) => {
    const request = route.request();
    if (!spoiled(request.headers()) || !request.postData()?.includes('ANSWER')) return route.continue();
    return route.continue({ postData: request.postData()?.replace(/"ANSWER":"/, '"ANSWER":"x') });
  });
  const email = newAddress();
  const link = await beginToBuy(page, world, email);
  await press(page, link);
  await expect(confirmed).toBeVisible();

  const reloaded = newAddress();
  await beginToBuy(page, world, reloaded);
  await page.reload();
  await page.getByLabel('Confirmation code').fill(codeIn((await world.mailTo(reloaded)).text));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(confirmed).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(reloaded);
  await signIn(page, { email: reloaded, password: 'correct horse' });
  await expect(page).toHaveURL('/checkout?plan=plus');
});

test('a link in another browser asks for name and password', async ({ elsewhere: there, page, world }) => {
  const email = newAddress();
  await page.goto('/signup');
  await begin(page, email, 'typed elsewhere');
  await there.goto(await mailedLink(world, email, '/email-confirmation'));
  await there.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(there.getByText('You signed up in another browser:')).toBeVisible();
  await expect(there.getByLabel('Full name')).toBeFocused();
  await there.getByLabel('Full name').fill('Grace Hopper');
  await there.getByLabel('Password', { exact: true }).fill('battery staple');
  await there.getByLabel('Confirm password').fill('battery staple');
  await there.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(greeting(there, 'Grace Hopper')).toBeVisible();
});

test('a user whose sign-up a stranger replaced is led to a new password', async ({ page, world }) => {
  const email = newAddress();
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  for (const Password of ['correct horse', 'of the stranger']) {
    await world.cognito('SignUp', {
      ClientId,
      Username: email,
      Password,
      UserAttributes: [{ Name: 'email', Value: email }, browserThatSignsUp().attribute],
    });
  }
  await page.goto(`/email-confirmation?email=${email}`);
  await page.getByLabel('Confirmation code').fill(codeIn((await world.mailTo(email)).text));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByRole('alert')).toContainText('its password came from elsewhere');
  await page.getByRole('alert').getByRole('link', { name: 'Choose a new password' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('a link to choose a new password is on its way')).toBeVisible();
});
