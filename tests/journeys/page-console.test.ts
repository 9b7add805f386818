import { pagesOf } from '../../infra/constructs/website/page-routing.ts';
import { applicationStarted, errorsOf, expect, openDashboard, test } from '../fixtures/browser/journey.ts';

function addresses(): string[] {
  const { dist } = JSON.parse(process.env['SELFSAME_BUILT'] ?? 'null') as { dist: string };
  return ['/', ...pagesOf(dist)];
}

// Visiting all pages takes long on a busy machine.
test.describe.configure({ timeout: 240_000 });

for (const visitor of ['signed out', 'signed in'] as const) {
  test(`no page writes a warning or an error to the console, ${visitor}`, async ({
    page,
    account,
    world,
  }) => {
    if (visitor === 'signed in') await openDashboard(page, account, world);
    const errors = errorsOf(page);
    for (const path of addresses()) {
      await page.goto(path);
      await applicationStarted(page);
      // The page's own requests, and what it says about their answers.
      await page.waitForLoadState('networkidle');
      expect.soft([path, ...errors.splice(0)]).toEqual([path]);
    }
  });
}
