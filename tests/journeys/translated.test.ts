import {
  applicationStarted,
  builtPages,
  errorsOf,
  expect,
  openDashboard,
  openDashboardOnPlus,
  returnTo,
  test as base,
  unlistedPages,
} from '../fixtures/browser/journey.ts';
import { translate } from '../fixtures/browser/translated.ts';

/*
 * With SELFSAME_TRANSLATED=1, every journey runs on translated pages. These journeys are the ones in which
 * React changes text beside other elements.
 */

const test = base.extend<{ translationErrors: readonly string[] }>({
  translationErrors: [
    async ({ context }, use) => {
      const errors = await translate(context);
      await use(errors);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});

test('every page survives a browser’s translation, and the way to the next page, for a visitor, who can ask for a new code, and for a user', async ({
  page,
  account,
  world,
}) => {
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

test('translated pages follow the plan', async ({ page, account, world }) => {
  await openDashboardOnPlus(page, account, world);
  await page.goto('/cancel');
  await page.getByRole('button', { name: 'Yes, Cancel My Subscription' }).click();
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page.getByText(/then Free\.$/)).toBeVisible();

  const other = await page.context().newPage();
  await other.route('**/api/plan', (route) => route.fulfill({ status: 500 }), { times: 1 });
  await other.goto('/pricing');
  await other.getByRole('button', { name: 'Try Again' }).click();
  await other.getByRole('button', { name: 'Renew Plan' }).click();
  await expect(other.getByText('Next charge')).toBeVisible();
  await expect(other.getByText('Expires Soon')).toBeHidden();
  await returnTo(page);
  await expect(page.getByText('Next charge')).toBeVisible();
});
