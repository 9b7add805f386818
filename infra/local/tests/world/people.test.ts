import { execFileSync } from 'node:child_process';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import axe from 'axe-core';
import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserArguments, findBrowser } from '../../../../tests/fixtures/browser/browser.ts';
import { stackOnce } from '../../../../tests/fixtures/worlds/stack-once.ts';
import { World } from '../../../../tests/fixtures/worlds/world.ts';

const PORT = 4_560;
const world = new World(PORT);

const states = {
  'past-due@example.com': 'Plus, past due',
  'free@example.com': 'Free',
  'plus@example.com': 'Plus',
  'ending@example.com': 'Plus, ending',
  'complimentary@example.com': 'Complimentary',
  'unconfirmed@example.com': 'Unconfirmed',
  'google@example.com': 'Free',
  'github@example.com': 'Free',
  'linked@example.com': 'Free',
};

interface Account {
  sub: string;
  email: string;
  name: string;
  state: string;
  endsAt: string | null;
  providers: string[];
  hasPassword: boolean;
}
const accounts = () => world.get<Account[]>('/__local/accounts');
const accountOf = async (email: string): Promise<Account> => {
  const found = (await accounts()).find((account) => account.email === email);
  if (!found) throw new Error(`${email} has no account.`);
  return found;
};

/** Runs the program that `npm start -- --people` runs. Returns the lines that it prints. */
const seed = (): string[] =>
  execFileSync(process.execPath, [path.resolve('infra/local/people/start.ts'), world.origin], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');

let lines: string[];
beforeAll(async () => {
  await stackOnce();
  await world.start();
  lines = seed();
  // Moving the clock by a month runs every schedule hourly: ten seconds, on a busy machine ninety.
}, 180_000);
afterAll(() => world.stop());

test('there is a user in each state, each with a line that says so', async () => {
  const seeded = await accounts();
  expect(Object.fromEntries(seeded.map(({ email, state }) => [email, state]))).toEqual(states);
  for (const { email } of seeded) {
    expect(lines).toContainEqual(expect.stringMatching(`^${email} is [^.]+\\.$`));
  }
  const now = Date.parse((await world.get<{ now: string }>('/__local/clock')).now);
  const { endsAt } = await accountOf('ending@example.com');
  expect(Date.parse(endsAt ?? '')).toBeGreaterThan(now);
  expect(await accountOf('google@example.com')).toMatchObject({ providers: ['Google'], hasPassword: false });
  expect(await accountOf('github@example.com')).toMatchObject({ providers: ['GitHub'], hasPassword: false });
  expect(await accountOf('linked@example.com')).toMatchObject({ providers: ['Google'], hasPassword: true });
});

test('the console says why a user has a plan, as support does', async () => {
  const whyOf = async (email: string): Promise<string> => {
    const response = await fetch(`${world.origin}/__local/why/${(await accountOf(email)).sub}`);
    return response.text();
  };
  expect(await whyOf('complimentary@example.com')).toContain('It is complimentary: nothing is charged.');
  expect(await whyOf('ending@example.com')).toMatch(/The row says Plus.*decided on.*on Plus until /s);
});

/** A request for a session, as a browser on a page of `origin` sends it. `fetch` can't set these headers. */
async function signInAs(
  sub: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; body: any }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = httpRequest(
    {
      host: '127.0.0.1',
      port: PORT,
      path: `/__local/accounts/${encodeURIComponent(sub)}/sign-in`,
      method: 'POST',
      headers: {
        host: `localhost:${PORT}`,
        origin: world.origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        ...headers,
      },
    },
    resolve,
  );
  request.on('error', reject).end('{}');
  const response = await promise;
  return { status: response.statusCode, body: await json(response) };
}

const accessTokenIn = (storage: Record<string, string>): string =>
  Object.entries(storage).find(([key]) => key.endsWith('.accessToken'))?.[1] ?? '';

describe('signing in as a user', () => {
  test.each(Object.keys(states).filter((email) => email !== 'unconfirmed@example.com'))(
    'works for %s, with tokens that the API takes',
    async (email) => {
      const { sub, state } = await accountOf(email);
      const { status, body } = await signInAs(sub);
      expect([status, body.landing]).toEqual([200, '/dashboard']);
      const authorization = `Bearer ${accessTokenIn(body.storage)}`;
      // The export asks Cognito for the session.
      const response = await fetch(`${world.origin}/api/export`, { headers: { authorization } });
      expect(await response.json()).toMatchObject({
        account: { id: sub, email },
        plan: { plan: /Plus|Complimentary/.test(state) ? 'plus' : 'free' },
      });
    },
  );

  test('is refused for a user who has not confirmed the address, and for nobody', async () => {
    const { sub } = await accountOf('unconfirmed@example.com');
    expect(await signInAs(sub)).toEqual({ status: 409, body: { error: 'User is not confirmed.' } });
    expect((await signInAs('nobody')).status).toBe(404);
  });

  test.each([
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page that hides its origin', { origin: 'null' }],
    ['a page of another port of this machine', { origin: 'http://localhost:9999' }],
    ['another site under a name that leads here', { host: `evil.example:${PORT}` }],
    [
      'such a site with its own origin',
      { host: `evil.example:${PORT}`, origin: `http://evil.example:${PORT}` },
    ],
    ['a form, which needs no permission to be sent', { 'content-type': 'text/plain' }],
    ['a program, which has no page', { origin: '' }],
  ])('is refused for %s', async (_, headers: Record<string, string>) => {
    const { sub } = await accountOf('free@example.com');
    const { status, body } = await signInAs(sub, headers);
    expect([status, Object.keys(body)]).toEqual([403, ['error']]);
  });

  test('can not be reached by an address alone, and its answer is for no other origin', async () => {
    const { sub } = await accountOf('free@example.com');
    const response = await fetch(`${world.origin}/__local/accounts/${sub}/sign-in`);
    expect(response.status).toBe(404);
    const page = await fetch(`${world.origin}/__local/people`, {
      headers: { origin: 'https://evil.example' },
    });
    expect(page.headers.get('access-control-allow-origin')).toBe(null);
    expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });
});

test('in a browser, the console signs in as one user and then as another, leads from a user to the row and back, and each section fits a phone and is accessible', async () => {
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: browserArguments });
  const page = await browser.newPage({ baseURL: world.origin, viewport: { width: 390, height: 800 } });
  const found: string[] = [];
  page.on('pageerror', ({ message }) => found.push(message));
  for (const email of ['free@example.com', 'plus@example.com']) {
    await page.goto('/__local/people');
    await page.getByRole('button', { name: `Sign in as ${email}` }).click();
    await page.waitForURL('/dashboard');
    const stored = await page.evaluate<string>('JSON.stringify(localStorage)');
    expect(stored.match(/[\w-]+@example\.com/g)).toEqual([email]);
  }
  await page.goto('/__local/people');
  await page.getByRole('searchbox', { name: 'Filter' }).fill('ending@example.com');
  await page.getByText('plus@example.com').first().waitFor({ state: 'hidden' });
  const row = page.getByRole('row', { name: 'ending@example.com' });
  await row.getByRole('link', { name: 'Rows' }).click();
  const shown = page.getByRole('region', { name: /UserPlans/ }).locator('tbody tr:visible');
  expect(await shown.count()).toBe(1);
  // The key comes first, and leads to its user.
  await shown.getByRole('link').first().click();
  await row.waitFor();

  for (const section of ['', '/inbox', '/payments', '/people', '/rows', '/timetable', '/logs']) {
    await page.goto(`/__local${section}`);
    await page.evaluate(axe.source);
    const faults = await page.evaluate<string[]>(`axe.run({ iframes: false }).then(({ violations }) => [
      ...violations.map(({ id }) => id),
      ...(document.documentElement.scrollWidth > innerWidth ? ['too wide'] : []),
    ])`);
    found.push(...faults.map((fault) => `${section}: ${fault}`));
  }
  await browser.close();
  expect(found).toEqual([]);
});
