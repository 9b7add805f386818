import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { answerOf, newUser } from '../fixtures/worlds/hosted-sign-in.ts';
import {
  CARDS,
  checkOut,
  expect,
  greeting,
  mailedLink,
  openDashboard,
  signIn,
  signInAtProvider,
  signOut,
  signUp,
  storedToken,
  test,
} from '../fixtures/browser/journey.ts';
import { codeIn } from '../fixtures/worlds/account.ts';

test('over the life of an account, no secret is in a log, in an address not made for it, or in a Referer', async ({
  page,
  context,
  world,
  app,
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
  const [ada, grace, alan] = [newUser('Ada'), newUser('Grace'), newUser('Alan')];
  const passwords = ['correct horse one', 'battery staple two', 'tractor beam three', 'not her password'];
  const [first = '', second = '', third = '', wrong = ''] = passwords;
  const secrets: string[] = [...passwords, ada.email, grace.email, alan.email];
  const remember = async () => {
    for (const kind of ['accessToken', 'idToken', 'refreshToken'] as const) {
      secrets.push((await storedToken(page, kind)) ?? '');
    }
  };

  // Signs up, confirms, signs in.
  await page.goto('/signup');
  await signUp(page, { name: 'Ada Lovelace', email: ada.email, password: first });
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  secrets.push(codeIn((await world.mailTo(ada.email)).text));
  await page.goto(await mailedLink(world, ada.email, '/email-confirmation'));
  await page.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await page.goto('/login');
  await signIn(page, { ...ada, password: wrong });
  await expect(page.getByRole('alert')).toBeVisible();
  await signIn(page, { ...ada, password: first });
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
  const link = await mailedLink(world, ada.email, '/reset-password');
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
  await signInAtProvider(page, grace);
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
  await signInAtProvider(page, alan);
  await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
  const handed = app.received[0]?.parameters ?? {};
  secrets.push(String(handed['access_token']), String(handed['refresh_token']));

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
  await signInAtProvider(page, { ...newUser(), name });
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
  await page.goto('/login');
  await page.evaluate(`history.replaceState({ usr: { from: '//evil.example/' }, key: 'k', idx: 0 }, '')`);
  await page.reload();
  await signIn(page, account);
  await expect(greeting(page, account.name)).toBeVisible();
  expect(new URL(page.url()).origin).toBe(world.origin);
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
  await signInAtProvider(page, grace);
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
