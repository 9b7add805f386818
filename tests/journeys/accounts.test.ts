import { expect, openDashboard, signIn, test } from '../fixtures/journey.ts';
import { codeIn, makeAccount } from '../fixtures/person.ts';

test('whoever is not signed in is asked to, and then finds the page they came for', async ({
  page,
  person,
}) => {
  await page.goto('/checkout?plan=plus');
  await expect(page).toHaveURL('/login');
  await signIn(page, person);
  await expect(page).toHaveURL('/checkout?plan=plus');
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
});

test('whoever is signed in has no use for the sign-in page', async ({ page, person }) => {
  await openDashboard(page, person);
  await page.goto('/login');
  await expect(page).toHaveURL('/dashboard');
  await page.goto('/signup');
  await expect(page).toHaveURL('/dashboard');
});

test('a wrong password is answered in the provider’s words, gone as soon as one types', async ({
  page,
  person,
}) => {
  await page.goto('/login');
  await signIn(page, { ...person, password: 'wrong horse' });
  const refusal = page.getByText('Incorrect username or password.');
  await expect(refusal).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('correct');
  await expect(refusal).toBeHidden();
});

test('an address in other letters is the same account', async ({ page, person }) => {
  await openDashboard(page, { ...person, email: person.email.toUpperCase() });
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(person.email);
});

test('whoever has not confirmed is sent to do so, and gets the mail again', async ({ page, world }) => {
  const email = `late.${Date.now()}@example.com`;
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Late Confirmer');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByLabel('Confirm password').fill('correct horse');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page).toHaveURL(/\/email-confirmation\?.*source=signup/);

  await page.goto('/login');
  await signIn(page, { email, password: 'correct horse', name: '', id: '' });
  await expect(page).toHaveURL(/\/email-confirmation\?.*source=signin/);
  await expect(page.getByText(/confirm your e-mail address before you can sign in/)).toBeVisible();

  const first = codeIn((await world.mailTo(email)).text);
  await page.getByRole('button', { name: 'Resend confirmation email' }).click();
  await expect(page.getByText('Confirmation email sent!')).toBeVisible();
  const second = codeIn((await world.mailTo(email)).text);
  expect(second).not.toBe(first);

  await page.getByLabel('Confirmation code').fill(first);
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByText('Invalid verification code provided, please try again.')).toBeVisible();
  await page.getByLabel('Confirmation code').fill(second);
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
});

test('opening the confirmation link confirms nothing until somebody presses the button', async ({
  page,
  world,
  request,
}) => {
  const email = `scanned.${Date.now()}@example.com`;
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Scanned');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByLabel('Confirm password').fill('correct horse');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const [link] = (await world.mailTo(email)).links;
  await request.get(String(link));
  await page.goto(String(link));
  await expect(page.getByRole('button', { name: 'Confirm Email' })).toBeVisible();

  await page.goto('/login');
  await signIn(page, { email, password: 'correct horse', name: '', id: '' });
  await expect(page).toHaveURL(/\/email-confirmation/);
});

test('the confirmation page without an address leads to sign-up', async ({ page }) => {
  await page.goto('/email-confirmation');
  await expect(page.getByText('No email address found. Please sign up first.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign up' })).toBeVisible();
});

test('passwords that differ cannot be sent', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByLabel('Confirm password').fill('correct house');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeDisabled();
});

test('an address that is taken is refused in the provider’s words', async ({ page, person }) => {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Eve');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill('another horse');
  await page.getByLabel('Confirm password').fill('another horse');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('An account with the given email already exists.')).toBeVisible();
});

test('a forgotten password is replaced through the mailed link, which leaves the address bar at once', async ({
  page,
  world,
  person,
}) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('main').getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  const link = (await world.mailTo(person.email)).links.find((address) =>
    address.includes('/reset-password'),
  );
  await page.goto(String(link));
  await expect(page).toHaveURL('/reset-password');
  await page.getByLabel(/^(New )?password$/i).fill('battery staple');
  await page.getByLabel(/Confirm/).fill('battery staple');
  await page
    .getByRole('main')
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await expect(page.getByText('Password updated successfully! Redirecting...')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');

  await page.goto(String(link));
  await expect(page.getByRole('main')).toBeVisible();
});

test('a reset link that lacks a part is invalid', async ({ page }) => {
  await page.goto('/reset-password?access_token=123456');
  await expect(page.getByText('Invalid reset password link')).toBeVisible();
});

test('signing out leaves nothing behind, and the other tab knows', async ({ page, person, context }) => {
  await openDashboard(page, person);
  const other = await context.newPage();
  await other.goto('/dashboard');
  await expect(other.getByRole('heading', { name: `Welcome, ${person.name}` })).toBeVisible();

  await page.getByRole('main').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' }).first()).toBeVisible();
  await expect(other.getByRole('heading', { name: `Welcome, ${person.name}` })).toBeHidden();
  expect(
    await page.evaluate(() => [
      localStorage.length,
      sessionStorage.length,
      (globalThis as unknown as { document: { cookie: string } }).document.cookie,
    ]),
  ).toEqual([0, 0, '']);
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/login');
});

test('a session that was ended elsewhere ends here, without an error page', async ({
  page,
  world,
  person,
}) => {
  await openDashboard(page, person);
  const token = await page.evaluate(() =>
    Object.entries(localStorage)
      .find(([key]) => key.endsWith('.accessToken'))
      ?.at(1),
  );
  await world.cognito('GlobalSignOut', { AccessToken: token });
  await world.advance('PT20M');
  await page.goto('/pricing');
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/login');
});

test('nobody is sent to another site after signing in', async ({ page, world }) => {
  const eve = await makeAccount(world);
  await page.goto('/login?from=https://evil.example/&redirect=//evil.example');
  await signIn(page, eve);
  await expect(page).toHaveURL('/dashboard');
});
