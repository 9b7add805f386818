import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright/test';
import type { NewUser } from '../../infra/local/people/cookie-client.ts';
import { answerOf, newUser } from '../fixtures/worlds/hosted-sign-in.ts';
import {
  CARDS,
  checkOut,
  expect,
  greeting,
  openDashboard,
  signIn,
  test,
} from '../fixtures/browser/journey.ts';
import { codeIn, createAccount } from '../fixtures/worlds/account.ts';
import { startRelayApp } from '../fixtures/browser/relay-app.ts';

/** Fills in an identity on the provider's page. */
async function be(page: Page, { name, email }: NewUser): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText("You've been signed out.")).toBeFocused();
}

/** The value that Amplify stores in the browser under a key that ends like this. */
const heldIn = (page: Page, name: string): Promise<string> =>
  page.evaluate(
    (ending) => Object.entries(localStorage).find(([key]) => key.endsWith(ending))?.[1] ?? '',
    `.${name}`,
  );

test('over the life of an account, no secret is in a log, in an address not made for it, or in a Referer', async ({
  page,
  context,
  world,
}) => {
  test.setTimeout(240_000);
  const requests: Promise<{ url: string; referer: string }>[] = [];
  context.on('request', (request) => {
    requests.push(
      request.allHeaders().then(
        ({ referer = '' }) => ({ url: request.url(), referer }),
        () => ({ url: request.url(), referer: '' }),
      ),
    );
  });
  const app = await startRelayApp();
  const [ada, grace, alan] = [newUser('Ada'), newUser('Grace'), newUser('Alan')];
  const passwords = ['correct horse one', 'battery staple two', 'tractor beam three', 'not her password'];
  const [first = '', second = '', third = '', wrong = ''] = passwords;
  const secrets: string[] = [...passwords, ada.email, grace.email, alan.email];
  const remember = async () => {
    for (const name of ['accessToken', 'idToken', 'refreshToken']) secrets.push(await heldIn(page, name));
  };
  const mailedLink = async (path: string): Promise<string> => {
    const { links } = await world.mailTo(ada.email);
    return String(links.find((address) => address.includes(path)));
  };

  // Signs up, confirms, signs in.
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password', { exact: true }).fill(first);
  await page.getByLabel('Confirm password').fill(first);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  secrets.push(codeIn((await world.mailTo(ada.email)).text));
  await page.goto(await mailedLink('/email-confirmation'));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await page.goto('/login');
  await signIn(page, { ...ada, password: wrong, id: '' });
  await expect(page.getByRole('alert')).toBeVisible();
  await signIn(page, { ...ada, password: first, id: '' });
  await expect(greeting(page, 'Ada Lovelace')).toBeVisible();
  await remember();

  // Pays, and changes the password, first with a wrong current password.
  await checkOut(page, CARDS.pays);
  await page.goto('/dashboard');
  const change = page.getByRole('region', { name: 'Your password' });
  await change.getByRole('button', { name: 'Change your password' }).click();
  for (const current of [wrong, first]) {
    await change.getByLabel('Current password').fill(current);
    await change.getByLabel('New password').fill(second);
    await change.getByLabel('Confirm password').fill(second);
    await change.getByRole('button', { name: 'Change Password' }).click();
    await expect(
      change.getByText(current === wrong ? /not your current password/ : /has been changed/),
    ).toBeVisible();
  }
  await signOut(page);

  // Forgets the password, sets a third, and deletes the account.
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(ada.email);
  await page.getByRole('main').getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const link = await mailedLink('/reset-password');
  secrets.push(new URL(link).searchParams.get('access_token') ?? '');
  await page.goto(link);
  await page.getByLabel('New password').fill(third);
  await page.getByLabel('Confirm password').fill(third);
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page).toHaveURL('/dashboard');
  await remember();
  await page.getByRole('button', { name: 'Delete My Account...' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(third);
  await dialog.getByRole('button', { name: 'Delete My Account', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();

  // Signs in through providers: for the site, for an app, and with a provider that fails.
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await be(page, grace);
  await expect(page).toHaveURL('/dashboard');
  await greeting(page, 'Grace').waitFor();
  await remember();
  await signOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await page.getByRole('button', { name: 'Fail' }).click();
  await expect(page).toHaveURL('/login');
  const state = 'of the app';
  await page.goto(
    `/oauth/start?${new URLSearchParams({ provider: 'github', redirect_uri: app.address, state }).toString()}`,
  );
  await be(page, alan);
  await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
  const handed = app.received[0]?.parameters ?? {};
  secrets.push(String(handed['access_token']), String(handed['refresh_token']));
  await app.close();

  const sent = await Promise.all(requests);
  expect(secrets.filter((secret) => secret.length < 6)).toEqual([]);
  for (const { referer } of sent) expect(referer).not.toMatch(/[?&#](code|state|[a-z]+_token)=|eyJ|@/);

  // Tokens are allowed in the relay's redirect, and in the mailed link, whose code is called a token.
  const withToken = sent.map(({ url }) => url).filter((url) => /_token=|eyJ[\w-]+\.[\w-]+\.[\w-]+/.test(url));
  expect(withToken.map((url) => url.split('?')[0])).toEqual([`${world.origin}/reset-password`, app.address]);
  // Codes are allowed in OAuth's redirects and in the mailed link.
  const withCode = sent.map(({ url }) => url).filter((url) => /[?&]code=/.test(url));
  expect([...new Set(withCode.map((url) => new URL(url).pathname))].toSorted()).toEqual([
    '/api/github-oidc/callback',
    '/dashboard',
    '/email-confirmation',
    '/oauth/callback',
    '/oauth2/idpresponse',
  ]);
  for (const password of passwords) {
    expect(sent.filter(({ url }) => decodeURIComponent(url.replaceAll('+', ' ')).includes(password))).toEqual(
      [],
    );
  }

  const log = world.output.join('\n');
  // Proves that the log is complete: it has the refusals.
  expect(log).toContain('wrong-password');
  expect(log).toContain('github');
  for (const secret of secrets) expect(log).not.toContain(secret);
  expect(log).not.toMatch(/eyJ[\w-]{8,}/);
  expect(log).not.toMatch(/[\w.+-]+@[\w-]+\.\w+/);
  expect(log).not.toMatch(/\b4242/);
});

test('a name full of markup is shown as typed and runs nothing', async ({ page, world }) => {
  const name = `<img src=x onerror="alert(1)">{{7*7}}<script>alert(1)</script>`;
  let ran = false;
  page.on('dialog', (dialog) => {
    ran = true;
    void dialog.dismiss();
  });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await be(page, { ...newUser(), name });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${name}`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${name}`);
  await page.goto('/pricing');
  await page.goto('/checkout?plan=plus');
  await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeVisible();
  expect(ran).toBe(false);
  expect((await world.get<unknown[]>('/__local/mail')).map((mail) => JSON.stringify(mail))).toEqual(
    expect.not.arrayContaining([expect.stringContaining('onerror')]),
  );
});

test('a sign-in that claims to come from another site stays on this site', async ({
  page,
  account,
  world,
}) => {
  const left: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && new URL(request.url()).hostname !== 'localhost')
      left.push(request.url());
  });
  for (const from of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
    await page.goto('/login');
    await page.evaluate(
      `history.replaceState({ usr: { from: ${JSON.stringify(from)} }, key: 'k', idx: 0 }, '')`,
    );
    await page.reload();
    await signIn(page, account);
    await expect(greeting(page, account.name)).toBeVisible();
    expect(new URL(page.url()).origin).toBe(world.origin);
    await signOut(page);
  }
  expect(left).toEqual([]);
});

test('the answer to another user’s sign-in is refused in a tab that waits for its own', async ({
  page,
  world,
  account,
}) => {
  // Eve sends her own answer to the victim's browser.
  const { answer } = await answerOf(world, { provider: 'Google', user: newUser('Eve') });
  const eves = `/dashboard?${answer.toString()}`;
  const exchanged: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/oauth2/token')) exchanged.push(request.url());
  });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with Google' })).toBeVisible();
  await page.goto(eves);
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toContainText('This sign-in was not started here');
  expect(exchanged).toEqual([]);
  await signIn(page, account);
  await expect(greeting(page, account.name)).toBeVisible();
});

test('an answer is accepted once, in the tab that asked for it', async ({ page, context, world }) => {
  const grace = newUser('Grace');
  let answer = '';
  context.on('request', (request) => {
    if (request.url().startsWith(`${world.origin}/dashboard?code=`)) answer = request.url();
  });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await be(page, grace);
  await greeting(page, 'Grace').waitFor();
  await signOut(page);
  for (const tab of [page, await context.newPage()]) {
    await tab.goto(answer);
    await expect(tab).toHaveURL('/login');
    await expect(tab.getByRole('alert')).toContainText('This sign-in was not started here');
  }
});

test('no page can be framed by another site', async ({ page, world, account }) => {
  await openDashboard(page, account, world);
  const framed = ['/dashboard', '/login', '/oauth/start?provider=google', '/cancel', '/checkout', '/'];
  const server = createServer((_, response) => {
    const frames = framed.map((path) => `<iframe src="${world.origin}${path}"></iframe>`).join('');
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Evil</title>${frames}`);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await expect.poll(() => page.frames().length).toBe(framed.length + 1);
  const [, ...frames] = page.frames();
  for (const frame of frames) {
    await expect.poll(() => frame.evaluate('location.protocol').catch(() => 'refused')).not.toBe('http:');
  }
  server.closeAllConnections();
  server.close();
});

test('another user’s reset link doesn’t give access to the signed-in account', async ({
  page,
  world,
  account,
}) => {
  const eve = await createAccount(world);
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  await world.cognito('ForgotPassword', { ClientId, Username: eve.email });
  const { links } = await world.mailTo(eve.email);
  await openDashboard(page, account, world);
  await page.goto(String(links.find((address) => address.includes('/reset-password'))));
  // Opening the link changes nothing: the user stays signed in.
  await expect(page.getByLabel('New password')).toBeVisible();
  await page.goto('/dashboard');
  await expect(greeting(page, account.name)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(account.email);
});
