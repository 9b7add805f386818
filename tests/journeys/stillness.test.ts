import type { Browser, Page } from 'playwright/test';
import { pagesOf } from '../../infra/constructs/page-routing.ts';
import { expect, openDashboard, openDashboardOnPlus, test } from '../fixtures/journey.ts';
import { type Answer, LateAnswers } from '../fixtures/late-answers.ts';
import { layoutShifts, observeLayoutShifts } from '../fixtures/layout-shifts.ts';
import type { World } from '../fixtures/world.ts';

/** At 0.1 a page counts as good (https://web.dev/articles/cls). */
const MOST = 0.01;
const WIDTHS = [390, 1_440];
/** Pages that are opened at a time. */
const TABS = 3;

const IN_ORDER: readonly Answer[] = ['script', 'config', 'plan', 'billing'];
const IN_REVERSE = IN_ORDER.toReversed();

/** Pages that show something else without a query. */
const QUERIES: Readonly<Record<string, string>> = {
  '/email-confirmation': '?email=ada@example.com',
  '/reset-password': '?email=ada@example.com',
  '/checkout': '?plan=plus',
};
/** Pages that show a user's plan. */
const OF_THE_PLAN = ['/pricing', '/dashboard', '/checkout', '/cancel'];

test.describe.configure({ timeout: 240_000 });

interface Visit {
  path: string;
  order: readonly Answer[];
}

/** Every page, and one article for all. */
function allPages(): string[] {
  const { dist } = JSON.parse(process.env['SELFSAME_BUILT'] ?? 'null') as { dist: string };
  const pages = ['/', ...pagesOf(dist)];
  const article = pages.find((path) => path.startsWith('/articles/'));
  return pages.filter((path) => !path.startsWith('/articles/') || path === article);
}

for (const width of WIDTHS) {
  test(`nothing moves on any page while its parts arrive, signed out, ${width} px`, async ({
    browser,
    world,
  }) => {
    const visits = allPages().map((path) => ({ path, order: IN_ORDER }));
    expect(await movements({ browser, world, width, visits })).toEqual([]);
  });

  test(`nothing moves on any page while its parts arrive, on Plus, ${width} px`, async ({
    browser,
    page,
    account,
    world,
  }) => {
    await openDashboardOnPlus(page, account, world);
    const visits = [
      ...allPages().map((path) => ({ path, order: IN_ORDER })),
      ...OF_THE_PLAN.map((path) => ({ path, order: IN_REVERSE })),
    ];
    expect(await movements({ browser, world, width, visits, signedIn: page })).toEqual([]);
  });

  test(`nothing moves on a page of the plan while its parts arrive, on Free, ${width} px`, async ({
    browser,
    page,
    account,
    world,
  }) => {
    await openDashboard(page, account, world);
    const visits = [IN_ORDER, IN_REVERSE].flatMap((order) => OF_THE_PLAN.map((path) => ({ path, order })));
    expect(await movements({ browser, world, width, visits, signedIn: page })).toEqual([]);
  });
}

/** A line for each visit whose layout shifts add up to more than is allowed, and for each part that moved. */
async function movements({
  browser,
  world,
  width,
  visits,
  signedIn,
}: {
  browser: Browser;
  world: World;
  width: number;
  visits: readonly Visit[];
  /** A page of the signed-in user. */
  signedIn?: Page;
}): Promise<string[]> {
  const context = await browser.newContext({
    baseURL: world.origin,
    viewport: { width, height: 800 },
    reducedMotion: 'reduce',
    ...(signedIn && { storageState: await signedIn.context().storageState() }),
  });
  const lines: string[] = [];
  const rest = [...visits];
  const visitAll = async () => {
    const page = await context.newPage();
    await observeLayoutShifts(page);
    const late = await LateAnswers.on(page);
    for (let visit = rest.shift(); visit; visit = rest.shift()) {
      const came = await late.open(visit.path + (QUERIES[visit.path] ?? ''), visit.order);
      const shifts = await layoutShifts(page);
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      if (sum <= MOST) continue;
      lines.push(
        `${visit.path}: ${sum.toFixed(3)} (${came.join(', ')})`,
        ...shifts.map(({ value, moved }) => `  ${value.toFixed(3)} ${moved.join('; ')}`),
      );
    }
  };
  await Promise.all(Array.from({ length: TABS }, visitAll));
  await context.close();
  return lines;
}
