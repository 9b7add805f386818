import {
  applicationStarted,
  expect,
  greeting,
  holdScripts,
  holdTimers,
  mailedLink,
  openDashboard,
  signIn,
  signOut,
  signUp,
  test,
} from '../fixtures/browser/journey.ts';
import { codeIn, createAccount } from '../fixtures/worlds/account.ts';

/** Collects what the hidden field of the account's name changes to. */
const OBSERVE_USER_NAME = `
  const field = document.querySelector('input[name=username]');
  globalThis.userNames = [];
  new MutationObserver(() => userNames.push(field.value)).observe(field, { attributeFilter: ['value'] });
`;

test('a signed-out user signs in after detours, and gets the requested page', async ({ page, account }) => {
  await page.goto('/checkout?plan=plus');
  await expect(page).toHaveURL('/login');
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
  await page.getByRole('link', { name: 'Back to Sign In' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Full name').fill(account.name);
  await page.getByRole('main').getByRole('link', { name: 'Terms' }).click();
  await page.goBack();
  await expect(page.getByLabel('Full name')).toHaveValue(account.name);
  await page.reload();
  await expect(page.getByLabel('Full name')).toHaveValue(account.name);
  await signUp(page, { ...account, password: 'another horse' });
  await expect(page.getByText('This address already has an account. Sign in,')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign In', exact: true }).click();
  // The form's code can't be loaded, and then it can.
  const accountCode = /\/assets\/(sign-in|signIn|Amplify|session)-[^/]*\.js$/;
  await page.route(accountCode, (route) => route.abort());
  await page.reload();
  await signIn(page, account);
  await expect(page.getByRole('alert')).toContainText("We couldn't load what this form needs.");
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
  await page.unroute(accountCode);
  await page.reload();
  await signIn(page, { ...account, password: 'wrong horse' });
  const refusal = page.getByText('Incorrect email or password.');
  await expect(refusal).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('correct');
  await expect(refusal).toBeHidden();
  // An address in different case is the same account.
  await signIn(page, { ...account, email: account.email.toUpperCase() });
  await expect(page).toHaveURL('/checkout?plan=plus');
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();

  await page.goto('/signup');
  await expect(page).toHaveURL('/dashboard');
});

test('an unconfirmed user is sent to the confirmation, and a new mail', async ({ page, world, request }) => {
  const email = `late.${Date.now()}@example.com`;
  const passThreeSeconds = await holdTimers(page, 3_000);
  await page.goto('/signup');
  await signUp(page, { name: 'Late Confirmer', email, password: 'correct horse' });
  await expect(page).toHaveURL(/\/email-confirmation\?.*source=signup/);
  const mail = await world.mailTo(email);
  const first = codeIn(mail.text);
  // A mail scanner opens the link, and then the user.
  await request.get(String(mail.links[0]));
  await page.goto(String(mail.links[0]));
  await expect(page.getByRole('button', { name: 'Confirm Email' })).toBeVisible();

  await page.goto('/login');
  await signIn(page, { email, password: 'correct horse' });
  await expect(page).toHaveURL(/\/email-confirmation\?.*source=signin/);
  await expect(page.getByText(/confirm your email address before you can sign in/)).toBeVisible();
  await expect(page.getByText(`Type the six new digits we sent to ${email}`)).toBeVisible();

  const resend = page.getByRole('button', { name: 'Resend confirmation email' });
  const isResending = (headers: Record<string, string>) => /ResendConf/.test(headers['x-amz-target'] ?? '');
  await page.route(/:\d+\/$/, (route) => {
    if (!isResending(route.request().headers())) return route.continue();
    const json = { __type: 'InvalidParameterException', message: '' };
    return route.fulfill({ status: 400, headers: { 'access-control-allow-origin': '*' }, json });
  });
  await resend.click();
  await expect(page.getByRole('alert')).toHaveText('Failed to resend confirmation email. Please try again.');
  await page.unrouteAll();
  await resend.click();
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.getByText('Confirmation email sent!')).toBeVisible();
  await passThreeSeconds();
  await expect(page.getByText('Confirmation email sent!')).toBeHidden();
  const second = codeIn((await world.mailTo(email)).text);
  expect(second).not.toBe(first);

  await page.getByLabel('Confirmation code').fill(first);
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByRole('alert')).toContainText("This code doesn't work, or no longer works.");
  await page.getByLabel('Confirmation code').fill('123');
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByRole('alert')).toHaveText('The code has six digits.');
  await resend.click();
  await expect(page.getByLabel('Confirmation code')).toHaveValue('');
  await expect(page.getByRole('alert')).toBeHidden();
  const third = codeIn((await world.mailTo(email)).text);
  await page.getByLabel('Confirmation code').fill(`${third.slice(0, 3)} ${third.slice(3)} `);
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  // The page that asked for the code knows the password.
  await expect(greeting(page, 'Late Confirmer')).toBeVisible();
  await signOut(page);

  // The page knows the address only after it has started. In the field, it is chosen to be typed over.
  await page.goto('/forgot-password');
  await applicationStarted(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Back to Sign In' }).click();
  const start = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await page.getByLabel('Email').click();
  start();
  await applicationStarted(page);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.keyboard.type('@example.com');
  await expect(page.getByLabel('Email')).toHaveValue('@example.com');
});

test('a mailed link replaces a forgotten password, and leads on', async ({ page, world, account }) => {
  await page.goto('/checkout?plan=plus');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('main').getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  const link = await mailedLink(world, account.email, '/reset-password');
  // Another user of this browser is signed in, and stays so when the link is opened.
  const other = await createAccount(world);
  await openDashboard(page, other, world);
  await page.goto(link);
  await expect(page.getByLabel('New password')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(other.email);
  const passTwoSeconds = await holdTimers(page, 2_000);
  await page.goto(link);
  await expect(page).toHaveURL('/reset-password');
  await page.reload();
  await applicationStarted(page);
  await page.getByLabel(/^(New )?password$/i).fill('battery staple');
  await page.getByLabel(/Confirm/).fill('battery staple');
  // Password managers read the hidden field: it names the link's account, or none.
  await expect(page.locator('input[name=username]')).toHaveValue('');
  await page.evaluate(OBSERVE_USER_NAME);
  await page
    .getByRole('main')
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await expect(page.getByText('Password updated successfully! Redirecting...')).toBeVisible();
  expect(await page.evaluate('userNames')).toEqual([account.email]);
  await passTwoSeconds();
  await expect(page).toHaveURL('/checkout?plan=plus');

  await signOut(page);
  await page.goto(link);
  await page.getByLabel('New password').fill('staple battery');
  await page.getByLabel('Confirm password').fill('staple battery');
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByRole('alert')).toContainText('This link no longer works.');
  await expect(page.getByRole('alert')).toBeFocused();
  await page.reload();
  await expect(page.getByText('Invalid reset password link')).toBeVisible();
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});

test('forms say what is missing and what is wrong at the field, which takes the focus', async ({ page }) => {
  const { width, height } = page.viewportSize() ?? { width: 1_280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    const fields = page.locator('form input');
    await page.locator('form button[type=submit]').click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('You must provide either an email or phone number and a password.');
    await expect(fields.first()).toBeFocused();
    for (const field of await fields.all()) await expect(field).toHaveAttribute('aria-invalid', 'true');
    expect((await alert.boundingBox())?.y).toBeLessThan((await page.locator('form').boundingBox())?.y ?? 0);
    for (const shown of [alert, fields.first()]) await expect(shown).toBeInViewport({ ratio: 1 });
    await page.getByLabel('Email').fill('a');
    await expect(alert).toBeHidden();
    for (const field of await fields.all()) await expect(field).toHaveAttribute('aria-invalid', 'false');
  }

  await page.setViewportSize({ width, height });
  await page.getByLabel('Full name').fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByLabel('Confirm password').fill('correct house');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeDisabled();

  await page.goto('/login');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('correct horse');
  await page.getByRole('switch', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await password.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true });
  await expect(page.getByText('Caps Lock is on')).toBeVisible();
  await expect(password).toHaveAccessibleDescription('Caps Lock is on');
  await password.dispatchEvent('keyup', { key: 'a' });
  await expect(page.getByText('Caps Lock is on')).toHaveCount(0);

  await page.goto('/email-confirmation');
  await expect(page.getByText('No email address found. Please sign up first.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign up' })).toBeVisible();

  // In place of the browser.
  await page.goto('/forgot-password');
  const email = page.getByLabel('Email');
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please enter your email address.');
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription('Please enter your email address.');
  await email.fill('ada');
  await expect(page.getByRole('alert')).toBeHidden();
  await email.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Please enter a valid email address.');

  await page.goto(`/reset-password?access_token=${'a'.repeat(43)}&refresh_token=somebody`);
  const button = page.getByRole('button', { name: 'Update Password' });
  await expect(button).toBeDisabled();
  await page.getByLabel('New password').fill('short');
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await page.getByLabel('Confirm password').fill('longer than that');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await expect(button).toBeDisabled();
  await page.getByLabel('New password').fill('longer than that');
  await expect(button).toBeEnabled();
});
