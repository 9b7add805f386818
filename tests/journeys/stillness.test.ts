import type { Browser, Page, Request } from 'playwright/test';
import type { BillingResponse } from '../../schemas/shapes/billing.ts';
import type { Plan } from '../../schemas/rows/plan.ts';
import {
  builtPages,
  errorsOf,
  expect,
  LIKE_DASHBOARD,
  signInByStorage,
  signInOnPlus,
  test,
  unlistedPages,
} from '../fixtures/browser/journey.ts';
import { IN_ORDER, LateAnswers, type Replacements } from '../fixtures/browser/late-answers.ts';
import { layoutShifts, observeLayoutShifts } from '../fixtures/browser/layout-shifts.ts';
import { expectAccessible } from '../fixtures/browser/page-checks.ts';
import type { World } from '../fixtures/worlds/world.ts';

/** At 0.1 a page counts as good (https://web.dev/articles/cls). */
const MOST = 0.01;
const NARROW = 390;
const WIDE = 1_440;
/** Pages that are opened at a time. */
const TABS = 3;

/** Pages that show something else without a query. */
const QUERIES: Readonly<Record<string, string>> = {
  '/email-confirmation': '?email=ada@example.com',
  '/reset-password': `?access_token=${'a'.repeat(43)}&refresh_token=somebody`,
  '/checkout': '?plan=plus',
  '/login': '?to=%2Fcheckout%3Fplan%3Dplus',
  // Without a query the page leaves for the sign-in after two seconds.
  '/oauth/callback': '?state=first&state=second',
};
/**
 * A browser's words for the refusal of a checkout on Plus, and for settings whose reader, a held script,
 * takes longer than some seconds on a busy machine.
 */
const EXPECTED =
  /the server responded with a status of 409 \(Conflict\)$|config\.json was preloaded using link preload but not used/;
/** Pages that wait for the session, and two whose frame stands for that of the others. */
const OF_THE_SESSION = [
  '/',
  '/pricing',
  '/login',
  '/signup',
  '/dashboard',
  '/settings',
  '/cancel',
  '/checkout',
  '/checkout/return',
];
const MISSING = '/no-such-page';
/** Pages that are there for other addresses than their own. */
const ANSWER_404 = [MISSING, '/articles/not-found'];
/** Pages of the same parts as another, with other text: they are opened, but not looked at. */
const OTHER_TEXT = [
  '/dashboard',
  '/articles/1',
  '/articles/4',
  '/articles/not-found',
  '/privacy',
  '/oauth/start',
];
/** Pages whose parts are placed in another way in a wide window. */
const OF_WIDE_LAYOUTS = ['/', '/pricing', '/demo', '/templates', '/articles', '/terms'];
/**
 * Pages that lead a signed-in user on. The next page adds a style sheet, and Chromium then draws text again
 * in fonts that were too late for the page before.
 */
const REDIRECTED: readonly string[] = ['/login', '/signup'];
/** Pages that show a user's plan. */
const OF_THE_PLAN = ['/pricing', '/dashboard', '/checkout', '/cancel'];

const END = '2030-01-31T12:00:00.000Z';
const FREE: Plan = {
  plan: 'free',
  planExpiresAt: null,
  stripeSubscriptionId: null,
  createdAt: '2026-01-01T12:00:00.000Z',
  lastSignInAt: '2026-01-31T12:00:00.000Z',
  mailBounces: false,
};
const PLUS: Plan = { ...FREE, plan: 'plus', stripeSubscriptionId: 'sub_1' };
const money = { amount: 500, currency: 'usd' };
const pricedPlan = { plan: 'plus', interval: 'month', price: money } as const;
const INVOICE: BillingResponse['invoices'][number] = {
  number: 'A-0001',
  date: '2026-01-31T12:00:00.000Z',
  amount: 500,
  currency: 'usd',
  status: 'open',
  hosted_invoice_url: 'https://invoice.stripe.com/i/1',
  invoice_pdf: null,
};
const BILLING: BillingResponse = {
  standing: {
    ...pricedPlan,
    kind: 'renews',
    on: END,
    until: null,
    charges: [{ subscription: 'sub_1', ...pricedPlan, on: END, money }],
  },
  paymentMethod: {
    type: 'card',
    card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2029, wallet: null },
  },
  invoices: [INVOICE],
};

/** The API's answers to users whose subscription is in trouble, or ends. */
const inTrouble = (plan: Plan, billing: Partial<BillingResponse>): Replacements => ({
  plan,
  billing: { ...BILLING, ...billing },
});
const IN_TROUBLE: Readonly<Record<string, Replacements>> = {
  'past due': inTrouble(PLUS, {
    standing: {
      ...pricedPlan,
      kind: 'failed',
      money,
      endsAt: null,
      paysUntil: END,
      nextTry: END,
      lostOn: null,
      cause: 'declined',
      payAt: INVOICE.hosted_invoice_url,
      charges: [],
    },
  }),
  ended: inTrouble(FREE, { standing: { kind: 'free', endedAt: END }, paymentMethod: null, invoices: [] }),
  unpaid: inTrouble(FREE, { standing: { ...pricedPlan, kind: 'unpaid', payAt: INVOICE.hosted_invoice_url } }),
  lost: inTrouble(FREE, {
    standing: { ...pricedPlan, kind: 'lost', since: END, hasOpenInvoice: false },
    paymentMethod: null,
    invoices: [{ ...INVOICE, status: 'void' }],
  }),
  processing: inTrouble(FREE, {
    standing: { ...pricedPlan, kind: 'processing', on: null },
    paymentMethod: null,
    invoices: [{ ...INVOICE, processing: true }],
  }),
  ending: inTrouble(
    { ...PLUS, planExpiresAt: END, stripeSubscriptionId: null },
    {
      standing: { ...pricedPlan, kind: 'ends', on: END, renewal: 'free', charges: [] },
      invoices: [{ ...INVOICE, status: 'paid' }],
    },
  ),
};

test.describe.configure({ timeout: 240_000 });

interface Visit {
  path: string;
  width: number;
  order: typeof IN_ORDER;
  replacements?: Replacements;
  /** Looks at the page, which has sent these requests. */
  look?: (page: Page, path: string, requests: readonly Request[]) => Promise<void>;
}

/** Each visit in one width and one order. The visits of a kind take turns in both. */
const inTurn = (visits: readonly Pick<Visit, 'path' | 'replacements'>[]): Visit[] =>
  visits.map((visit, index) => {
    const isWide = index % 4 > 1;
    const isReverse = (index % 2 === 0) === isWide && !REDIRECTED.includes(visit.path);
    return { ...visit, width: isWide ? WIDE : NARROW, order: isReverse ? IN_ORDER.toReversed() : IN_ORDER };
  });

test('signed out, every page hydrates, nothing moves on it, nor goes to the console, axe finds nothing, and it doesn’t scroll sideways, from 320 px to 1440, nor at 200 %', async ({
  browser,
  world,
}) => {
  const unlisted = [...unlistedPages(), MISSING];
  const look: Visit['look'] = async (page, path, requests) => {
    if (!unlisted.includes(path)) {
      // Hydration keeps the server's elements.
      expect([path, await page.evaluate('servedHeading.isConnected')]).toEqual([path, true]);
      const addresses = requests.map((request) => request.url());
      expect(addresses.filter((address) => new URL(address).origin !== world.origin)).toEqual([]);
      // Neither account nor payment code.
      const scripts = requests.filter((request) => /\/assets\/.*\.js$/.test(request.url()));
      const texts = scripts.map(async (request) => (await request.response())?.text());
      const code = (await Promise.all(texts)).join('\n');
      expect(code).toContain('hydrateRoot');
      expect(code).not.toMatch(/CognitoIdentityProvider\b.*InitiateAuth|js\.stripe\.com/);
    }
    if (OTHER_TEXT.includes(path)) return;
    await page.setViewportSize({ width: 1_280, height: 720 });
    await expectAccessible(page, path, ['dark', 'light']);
  };
  const pages = [...builtPages(), MISSING].filter((path) => !LIKE_DASHBOARD.includes(path));
  const visits = [
    ...pages.map((path) => ({ path, width: NARROW, order: IN_ORDER, look })),
    ...OF_WIDE_LAYOUTS.map((path) => ({ path, width: WIDE, order: IN_ORDER })),
  ];
  expect(await movements({ browser, world, visits })).toEqual([]);
});

test('nothing moves on a page of the session or the plan', async ({ browser, page, account, world }) => {
  await signInByStorage(page, account, world);
  const onFree = OF_THE_PLAN.map((path) => ({ path }));
  const troubled = Object.values(IN_TROUBLE).map((replacements) => ({ path: '/dashboard', replacements }));
  const elsewhere = Object.values(IN_TROUBLE).map((replacements, index) => ({
    path: (index % 2 === 0) === index % 4 < 2 ? '/pricing' : '/cancel',
    replacements,
  }));
  const visits = inTurn([...onFree, ...troubled, ...elsewhere]);
  expect(await movements({ browser, world, visits, signedIn: page })).toEqual([]);

  await signInOnPlus(page, account, world);
  const onPlus = inTurn(OF_THE_SESSION.map((path) => ({ path })));
  expect(await movements({ browser, world, visits: onPlus, signedIn: page })).toEqual([]);
});

/** Keeps the heading that the server has sent. */
const KEEP_HEADING = `
  addEventListener('DOMContentLoaded', () => {
    globalThis.servedHeading = document.querySelector('main h1');
  });
`;

/**
 * A line for each visit whose layout shifts add up to more than is allowed, for each part that moved, and for
 * each error and warning in the console.
 */
async function movements({
  browser,
  world,
  visits,
  signedIn,
}: {
  browser: Browser;
  world: World;
  visits: readonly Visit[];
  /** A page of the signed-in user. */
  signedIn?: Page;
}): Promise<string[]> {
  const context = await browser.newContext({
    baseURL: world.origin,
    reducedMotion: 'reduce',
    ...(signedIn && { storageState: await signedIn.context().storageState() }),
  });
  const lines: string[] = [];
  const rest = [...visits];
  const visitAll = async () => {
    const page = await context.newPage();
    await observeLayoutShifts(page);
    await page.addInitScript(KEEP_HEADING);
    const errors = errorsOf(page);
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    const late = await LateAnswers.on(page);
    for (let visit = rest.shift(); visit; visit = rest.shift()) {
      await page.setViewportSize({ width: visit.width, height: 800 });
      requests.length = 0;
      const came = await late.open(visit.path + (QUERIES[visit.path] ?? ''), visit.order, visit.replacements);
      const shifts = await layoutShifts(page);
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      const expected = ANSWER_404.includes(visit.path) ? /status of 404/ : EXPECTED;
      const unexpected = errors.splice(0).filter((error) => !expected.test(error));
      lines.push(...unexpected.map((error) => `${visit.path}: ${error}`));
      await visit.look?.(page, visit.path, requests);
      if (sum <= MOST) continue;
      lines.push(
        `${visit.path}, ${visit.width} px: ${sum.toFixed(3)} (${came.join(', ')})`,
        ...shifts.map(({ value, moved }) => `  ${value.toFixed(3)} ${moved.join('; ')}`),
      );
    }
  };
  await Promise.all(Array.from({ length: TABS }, visitAll));
  await context.close();
  return lines;
}
