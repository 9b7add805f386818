import {
  applicationStarted,
  builtPages,
  errorsOf,
  expect,
  openDashboard,
  test,
  unlistedPages,
} from '../fixtures/browser/journey.ts';

/*
 * With SELFSAME_TRANSLATED=1, every journey runs on translated pages. Without it, this one does, and one of
 * subscription.test.ts, in which React changes text beside other elements.
 */

test.use({ translated: true });

test('every page survives a browser’s translation, for anybody', async ({ page, account, world }) => {
  test.slow();
  await page.goto('/email-confirmation?email=nobody@example.com&source=signup');
  await page.getByRole('button', { name: 'Resend confirmation email' }).click();
  await expect(page.getByText('six new digits')).toBeVisible();

  const errors = errorsOf(page);
  const visit = async (paths: readonly string[]) => {
    for (const path of paths) {
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect.soft([path, ...errors.splice(0)]).toEqual([path]);
    }
  };
  await page.goto('/');
  await applicationStarted(page);
  const ofUsers = unlistedPages();
  await visit(builtPages().filter((path) => !ofUsers.includes(path)));
  await openDashboard(page, account, world);
  // Amplify warns of an endpoint that isn't AWS's own.
  errors.length = 0;
  await visit(ofUsers);
});
