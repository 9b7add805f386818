import { answerOf, newUser } from '../fixtures/worlds/hosted-sign-in.ts';
import { expect, greeting, signIn, test } from '../fixtures/browser/journey.ts';

test('another user’s answer and a way to another site are refused', async ({ page, world, account }) => {
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

  // Nor does such an answer end a session.
  await page.goto(eves);
  await expect(page).toHaveURL('/dashboard');
  await expect(greeting(page, account.name)).toBeVisible();
});
