import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { answerOf, newUser } from '../fixtures/worlds/hosted-sign-in.ts';
import {
  expect,
  greeting,
  openDashboard,
  signIn,
  signInAtProvider,
  signOut,
  test,
} from '../fixtures/browser/journey.ts';

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

test('the answer to another user’s sign-in is refused in a tab that waits for its own, and a sign-in that claims to come from another site stays here', async ({
  page,
  world,
  account,
}) => {
  // Eve sends her own answer to the victim's browser.
  const { answer } = await answerOf(world, { provider: 'google', user: newUser('Eve') });
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

  const left: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && new URL(request.url()).hostname !== 'localhost')
      left.push(request.url());
  });
  await page.evaluate(`history.replaceState({ usr: { from: '//evil.example/' }, key: 'k', idx: 0 }, '')`);
  await page.reload();
  await signIn(page, account);
  await expect(greeting(page, account.name)).toBeVisible();
  expect(new URL(page.url()).origin).toBe(world.origin);
  expect(left).toEqual([]);
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
