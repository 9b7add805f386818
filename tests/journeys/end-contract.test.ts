import { expect, mailedLink, signInOnPlus, test } from '../fixtures/browser/journey.ts';

test('a signed-out user withdraws or cancels by a mailed link', async ({ page, account, world }) => {
  await signInOnPlus(page, account, world);
  await page.context().setStorageState({ cookies: [], origins: [] });
  let refuses = true;
  await page.route('**/api/end-contract', async (route) => {
    const { action } = route.request().postDataJSON() as { action: string };
    if (action === 'withdraw' && !refuses) {
      return route.fulfill({ json: { standing: { kind: 'free', endedAt: null }, withdrawUntil: null } });
    }
    // The stage offers none, and refuses.
    const response = await route.fetch();
    const answer = (await response.json()) as object;
    return route.fulfill({
      response,
      json: action === 'show' ? { ...answer, withdrawUntil: '2090-01-31T12:00:00.000Z' } : answer,
    });
  });
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'End a contract' }).click();
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused();
  const link = await mailedLink(world, account.email, '/end-contract');
  await page.goto(link);
  // The token doesn't stay in the address bar.
  await expect(page).toHaveURL('/end-contract');
  const confirm = page.getByRole('button', { name: 'Confirm Withdrawal' });
  await page.getByRole('button', { name: 'Withdraw from Contract Here' }).click();
  await expect(page.getByRole('heading', { name: 'Withdraw from your contract' })).toBeFocused();
  await confirm.click();
  await expect(page.getByText('It is too late to withdraw.')).toBeVisible();
  refuses = false;
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'You have withdrawn' })).toBeFocused();
  await expect(page.getByText('Everything you paid for this contract is refunded')).toBeVisible();

  // The contract itself goes on.
  await page.unroute('**/api/end-contract');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByText('If you cancel: You keep Plus until')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel My Subscription' }).click();
  await expect(page.getByRole('heading', { name: 'Subscription Cancelled' })).toBeFocused();
  await expect(page.getByText('We have emailed you a confirmation')).toBeVisible();
  const row = await world.rowOf(account.id);
  expect([row?.plan, row?.plan_expires_at]).toEqual(['plus', expect.any(String)]);
  expect((await world.mailTo(account.email)).subject).toBe('Your Plus subscription is canceled');

  await page.goto(`/end-contract#${'a'.repeat(43)}`);
  await expect(page.getByRole('heading', { name: "We couldn't open your contract" })).toBeVisible();
  await page.getByRole('button', { name: 'Ask for a New Link' }).click();
  await expect(page.getByRole('button', { name: 'Send Link' })).toBeVisible();
});
