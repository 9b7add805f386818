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

/** Chooses name and password, in a browser that didn't sign up. */
async function chooseAccount(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByText('You signed up in another browser:')).toBeVisible();
  await expect(page.getByLabel('Full name')).toBeFocused();
  await page.getByLabel('Full name').fill('Grace Hopper');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.getByRole('button', { name: 'Confirm Email' }).click();
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
  await expect(refusal).toContainText('This link no longer works.');
  await expect(refusal).toContainText(`sign in with ${namesOf(defaultProviders)}`);
  await expect(page.getByText('Press once more to confirm')).toBeHidden();
  await refusal.getByRole('link', { name: 'Sign up again' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await begin(page, email, 'battery staple');
  await confirmWithNewestMail(page, world, email);
});

/** The way to the sign-up of a browser that has signed in before. */
const KNOWN = 'Create an account';

/** Begins at the prices, so that the sign-up leads to the checkout. Resolves with the mail's link. */
async function beginToBuy(
  page: Page,
  world: World,
  { email = newAddress(), way = 'Sign Up and Continue' } = {},
): Promise<string> {
  await page.goto('/');
  await page.getByRole('navigation').first().getByRole('link', { name: 'Pricing' }).click();
  await page.getByRole('link', { name: 'Sign in to Upgrade' }).click();
  await page.getByRole('main').getByRole('link', { name: way }).click();
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

test('a user who opens the mail’s link in another tab is signed in there, and the waiting tab goes on by itself, in seven screens from / to Plus; a later press says that it is done', async ({
  page,
  context,
  world,
}) => {
  const screens = screensOf(page);
  const link = await beginToBuy(page, world);
  const other = await context.newPage();
  await press(other, link);
  for (const tab of [other, page]) await expect(tab).toHaveURL('/checkout?plan=plus');
  await pay(page, CARDS.pays);
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  const toSignUp = ['/', '/pricing', '/login', '/signup', '/email-confirmation'];
  expect(screens).toEqual([...toSignUp, '/checkout', '/checkout/return']);
  await other.goto(link);
  await expect(other).toHaveURL('/dashboard');
  await signOut(other);
  await press(other, link);
  await expect(other.getByRole('alert')).toContainText('This address is confirmed already. Please sign in');
});

test('a user whose first tab is closed, frozen, or opens the link itself is signed in, where the user was going', async ({
  page,
  context,
  world,
}) => {
  await press(page, await beginToBuy(page, world));
  await expect(page).toHaveURL('/checkout?plan=plus');
  await signOut(page);

  const link = await beginToBuy(page, world, { way: KNOWN });
  const frozen = await context.newCDPSession(page);
  await frozen.send('Page.setWebLifecycleState', { state: 'frozen' });
  const other = await context.newPage();
  await press(other, link);
  await expect(other).toHaveURL('/checkout?plan=plus');
  await frozen.send('Page.setWebLifecycleState', { state: 'active' });
  await page.bringToFront();
  await expect(page).toHaveURL('/checkout?plan=plus');
  await signOut(page);

  const last = await beginToBuy(page, world, { way: KNOWN });
  await page.close();
  await press(other, last);
  await expect(other).toHaveURL('/checkout?plan=plus');
});

test('a ticket that no longer counts, and a code after a reload, lose nothing: the password signs in', async ({
  page,
  world,
}) => {
  const confirmed = page.getByText('Your email address is confirmed. Please sign in with your password.');
  const spoiled = (headers: Record<string, string>) => /RespondTo/.test(headers['x-amz-target'] ?? '');
  await page.route(/:\d+\/$/, (route) => {
    const request = route.request();
    if (!spoiled(request.headers()) || !request.postData()?.includes('ANSWER')) return route.continue();
    return route.continue({ postData: request.postData()?.replace(/"ANSWER":"/, '"ANSWER":"x') });
  });
  const email = newAddress();
  const link = await beginToBuy(page, world, { email });
  await press(page, link);
  await expect(confirmed).toBeVisible();
  await signIn(page, { email, password: 'correct horse' });
  await expect(page).toHaveURL('/checkout?plan=plus');
  await signOut(page);

  const reloaded = newAddress();
  await beginToBuy(page, world, { email: reloaded, way: KNOWN });
  await page.reload();
  await page.getByLabel('Confirmation code').fill(codeIn((await world.mailTo(reloaded)).text));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(confirmed).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(reloaded);
  await signIn(page, { email: reloaded, password: 'correct horse' });
  await expect(page).toHaveURL('/checkout?plan=plus');
});

test('a user who opens the mail’s link in another browser chooses name and password there', async ({
  elsewhere: there,
  page,
  world,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  await begin(page, email, 'typed elsewhere');
  await there.goto(await mailedLink(world, email, '/email-confirmation'));
  await chooseAccount(there, 'battery staple');
  await signOut(there);
  await signIn(there, { email, password: 'typed elsewhere' });
  await expect(there.getByRole('alert')).toContainText('Incorrect email or password.');
});

test('a user whose sign-up a stranger replaced confirms it with the own link, or with the newest code, and chooses the password', async ({
  page,
  world,
}) => {
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  const beginAndReplace = async (email: string): Promise<string> => {
    await page.goto('/signup');
    await begin(page, email, 'correct horse');
    const link = await mailedLink(world, email, '/email-confirmation');
    await world.cognito('SignUp', {
      ClientId,
      Username: email,
      Password: 'of the stranger',
      UserAttributes: [{ Name: 'email', Value: email }, browserThatSignsUp().attribute],
    });
    return link;
  };
  const first = newAddress();
  await page.goto(await beginAndReplace(first));
  await chooseAccount(page, 'battery staple');
  await signOut(page);
  await signIn(page, { email: first, password: 'of the stranger' });
  await expect(page.getByRole('alert')).toContainText('Incorrect email or password.');

  const second = newAddress();
  await beginAndReplace(second);
  await page.goto(`/email-confirmation?email=${second}`);
  await page.getByLabel('Confirmation code').fill(codeIn((await world.mailTo(second)).text));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByRole('alert')).toContainText('its password came from elsewhere');
  await page.getByRole('alert').getByRole('link', { name: 'Choose a new password' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(second);
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('a link to choose a new password is on its way')).toBeVisible();
  await page.goto('/login');
  await signIn(page, { email: second, password: 'of the stranger' });
  await expect(page.getByRole('alert')).toContainText('Incorrect email or password.');
});
