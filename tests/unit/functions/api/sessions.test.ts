import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as changePassword } from '../../../../functions/api/change-password.ts';
import { handler as changeProvider } from '../../../../functions/api/change-provider.ts';
import { handler as createCheckoutSession } from '../../../../functions/api/create-checkout-session.ts';
import { handler as endSession } from '../../../../functions/api/end-session.ts';
import { handler as getPlan } from '../../../../functions/api/plan.ts';
import { handler as listSessions } from '../../../../functions/api/sessions.ts';
import type { ListedSession } from '../../../../schemas/shapes/sessions.ts';
import type { HttpHandler } from '../../../../functions/runtime/route.ts';
import { adaOnFree, order } from '../../../fixtures/fakes/ada-on-free.ts';
import { type Call, call, callForHeaders, refused } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15';
const DAY = 86_400_000;
const google = { provider: 'google' as const, id: '1' };
const gitHub = { provider: 'github' as const, id: '7' };

const now = stopClock('2026-01-20T12:00:00Z');
const log = watchLog();

const product = () => {
  const ada = adaOnFree();
  return { ...ada, browsers: ada.appSessions.browsers, username: 'ada' };
};
let ada = product();
beforeEach(() => {
  ada = product();
});

/** A sign-in of a browser, which keeps its cookie. */
class Browser {
  cookies: string[] = [];
  readonly userAgent: string;
  session = '';
  authTime = 0;

  constructor(userAgent = FIREFOX) {
    this.userAgent = userAgent;
  }

  signIn(session: string): this {
    this.session = session;
    this.authTime = Math.floor(Date.now() / 1000);
    return this;
  }

  get request(): Call {
    const { session, authTime, cookies, userAgent } = this;
    const token = `${session} ${Math.floor(Date.now() / DAY)}`;
    if (ada.pool.sessionOf(token) === undefined) ada.pool.signIn(ada.username, token);
    const headers = { authorization: `Bearer ${token}`, 'user-agent': userAgent };
    return { user: 'ada', session, authTime, cookies, headers };
  }

  async ask(handler: HttpHandler, request: Call) {
    const answer = await callForHeaders(handler, { ...this.request, ...request });
    this.cookies = answer.cookies.map((cookie) => String(cookie.split(';')[0]));
    return answer;
  }

  async list() {
    const { body, status } = await this.ask(listSessions.with(ada), { body: {} });
    return { status, sessions: (body['sessions'] ?? []) as ListedSession[], waysIn: body['waysIn'] };
  }

  buy = (planName: string) => this.ask(createCheckoutSession.with(ada), { body: { ...order, planName } });
  end = (session: string) => call(endSession.with(ada), { ...this.request, body: { session } });
}

const inHours = (hours: number) => new Date(now.getTime() + (hours * DAY) / 24).toISOString();
const app = (id: string) => ({
  user_id: 'ada',
  id,
  redirect_uri: 'https://app.example/done',
  created_at: inHours(-24),
  used_at: inHours(-24),
  refreshes: 0,
  expires_at: now.getTime() / 1000 + 1,
});
/** Ada waits for a change of her address, which is due in a day. */
const waitForAddress = () => {
  const requested = { id: '1', requested_at: inHours(0), due_at: inHours(24) };
  const waiting = { ...requested, from: 'ada@example.com', to: 'new@example.com' };
  ada.addressChanges.items.set('ada', { id: 'ada', version: 1, waiting });
};

describe('the list', () => {
  test('names the kind of browser and the app, with first and last use, this browser first', async () => {
    await ada.appSessions.add(app('app-1'));
    await new Browser(SAFARI).signIn('far').list();
    vi.setSystemTime(now.getTime() + DAY / 2);
    expect(await new Browser().signIn('near').list()).toMatchObject({
      status: 200,
      sessions: [
        { kind: 'browser', name: 'Firefox on Windows', isCurrent: true, signedInAt: inHours(12) },
        { kind: 'browser', name: 'Safari on Mac', isCurrent: false, usedAt: inHours(0) },
      ],
    });
    vi.setSystemTime(now);
    expect((await new Browser().signIn('near').list()).sessions.map(({ kind }) => kind)).toContain('app');
  });

  test('has one entry for a browser that signs in again, and none after its sixty days', async () => {
    const browser = new Browser().signIn('first');
    await browser.list();
    await browser.signIn('second').list();
    expect([...ada.appSessions.items.values()]).toMatchObject([{ session: 'second' }]);
    const other = new Browser(SAFARI).signIn('other');
    expect((await other.list()).sessions).toHaveLength(2);
    vi.setSystemTime(now.getTime() + 60 * DAY);
    expect((await other.signIn('other-2').list()).sessions).toMatchObject([{ name: 'Safari on Mac' }]);
  });

  test('goes on by the last use, without an app’s session that was taken back', async () => {
    await ada.appSessions.add(app('old'));
    await ada.appSessions.add({ ...app('new'), used_at: inHours(1) });
    vi.setSystemTime(inHours(-12));
    await new Browser(SAFARI).signIn('far').list();
    vi.setSystemTime(now);
    const browser = new Browser().signIn('near');
    const { sessions } = await browser.list();
    expect(sessions.map(({ name, usedAt: at, isCurrent }) => [name, at, isCurrent])).toEqual([
      ['Firefox on Windows', inHours(0), true],
      ['https://app.example/done', inHours(1), false],
      ['Safari on Mac', inHours(-12), false],
      ['https://app.example/done', inHours(-24), false],
    ]);
    ada.planTable.put({ id: 'ada', valid_since: inHours(-12) });
    expect((await browser.list()).sessions.map(({ kind }) => kind)).toEqual(['browser', 'browser']);
  });

  test('comes with the address that the account waits for', async () => {
    const browser = new Browser().signIn('first');
    const waitingAddress = async () =>
      (await browser.ask(listSessions.with(ada), { body: {} })).body['waitingAddress'];
    expect(await waitingAddress()).toBeNull();
    waitForAddress();
    expect(await waitingAddress()).toMatchObject({ email: 'new@example.com', changesAt: inHours(24) });
  });

  test.each([
    ['password', undefined, [google], { password: true, providers: ['google'] }],
    ['maker first', 'github', [google, gitHub], { password: false, providers: ['github', 'google'] }],
  ] as const)('comes with the ways to sign in to the account, its %s', async (_, made_by, linked, waysIn) => {
    ada.planTable.put({ id: 'ada', made_by });
    ada.addressChanges.items.set('ada', { id: 'ada', version: 1, linked: [...linked] });
    expect((await new Browser().signIn('first').list()).waysIn).toEqual(waysIn);
  });

  test('keeps no cookie that works', async () => {
    const browser = new Browser().signIn('first');
    await browser.list();
    const [, cookie = ''] = browser.cookies[0]?.split('=') ?? [];
    expect(cookie).toHaveLength(43);
    expect(JSON.stringify([...ada.appSessions.items])).not.toMatch(new RegExp(cookie));
  });
});

describe('the mail about a new sign-in', () => {
  test('is sent once for a browser without our cookie, also if its request comes twice at once', async () => {
    await new Browser().signIn('first').list();
    const thief = new Browser(SAFARI).signIn('thief');
    const first = thief.list();
    vi.setSystemTime(now.getTime() + 1);
    await Promise.all([first, new Browser(SAFARI).signIn('thief').list()]);
    await thief.list();
    await thief.signIn('again').list();
    expect(ada.mail.sent).toMatchObject([
      { to: 'ada@example.com', email: { subject: 'New sign-in to your Selfsame account' } },
    ]);
    expect(ada.mail.sent[0]?.email.text).toContain('Safari on Mac');
    expect(ada.mail.sent[0]?.email.text).toContain('January 20, 2026 at 12:00 UTC');
  });

  test('is sent for the first browser of a user of an app', async () => {
    await ada.appSessions.add(app('app-1'));
    await new Browser().signIn('first').list();
    expect(ada.mail.sent).toHaveLength(1);
  });

  test.each([
    '__Host-browser=',
    '__Host-browser=guess',
    `__Host-browser=${'a'.repeat(43)}`,
    `browser=${'a'.repeat(43)}`,
  ])('is not kept away by the cookie %j that the account does not know', async (cookie) => {
    await new Browser().signIn('first').list();
    const thief = new Browser(SAFARI).signIn('thief');
    thief.cookies = [cookie];
    await thief.list();
    expect(ada.mail.sent).toHaveLength(1);
  });

  test('is not sent when a known browser signs in again, after signing out or after its session ran out', async () => {
    await new Browser(SAFARI).signIn('other').list();
    const browser = new Browser().signIn('first');
    await browser.list();
    await browser.end('this');
    await browser.signIn('second').list();
    vi.setSystemTime(now.getTime() + 61 * DAY);
    await browser.signIn('third').list();
    expect(ada.mail.sent).toHaveLength(1);
  });

  test('is sent again for a browser whose session was ended from another', async () => {
    const [browser, thief, listed] = await twoBrowsers();
    await browser.end(String(listed?.id));
    await thief.signIn('thief-2').list();
    expect(ada.mail.sent).toHaveLength(2);
  });

  test('is sent once to a user whose browser keeps no cookie, for each sign-in', async () => {
    await new Browser().signIn('first').list();
    for (let days = 0; days < 3; days += 1) {
      vi.setSystemTime(now.getTime() + days * DAY);
      const browser = new Browser().signIn('without-cookies');
      browser.authTime = now.getTime() / 1000;
      const { sessions } = await browser.list();
      expect(sessions).toHaveLength(2);
    }
    expect(ada.mail.sent).toHaveLength(1);
  });

  test('is sent once for a program that signs in past our site, also if what it asks for is refused', async () => {
    const browser = new Browser().signIn('first');
    await browser.list();
    const program = new Browser('curl/8.18').signIn('program');
    for (let times = 0; times < 2; times += 1) {
      expect(await program.buy('Gold')).toMatchObject(refused(400, 'unknown-plan'));
      program.cookies = [];
    }
    expect(ada.mail.sent.map(({ email }) => email.name)).toEqual(['new-sign-in']);
    expect((await browser.list()).sessions).toMatchObject([{}, { name: 'A browser' }]);
  });

  test('is not sent for a browser that buys before its sign-in is noted, if the account knows it', async () => {
    await new Browser(SAFARI).signIn('other').list();
    const browser = new Browser().signIn('first');
    // Its first call is refused, and sets the cookie all the same.
    await browser.buy('Gold');
    ada.mail.sent.length = 0;
    await browser.signIn('second').buy('Plus');
    await browser.list();
    expect(ada.mail.sent).toEqual([]);
  });

  test('is sent at most ten times a day', async () => {
    for (let times = 0; times < 15; times += 1) await new Browser().signIn(`session-${times}`).list();
    expect(ada.mail.sent).toHaveLength(10);
  });
});

/** Two browsers, and the other as it is listed in the first. */
const twoBrowsers = async () => {
  const [browser, other] = [new Browser().signIn('first'), new Browser(SAFARI).signIn('other')];
  await browser.list();
  await other.list();
  return [browser, other, (await browser.list()).sessions[1]] as const;
};

describe('ending', () => {
  test('a browser’s session makes our API refuse it, and leaves the others', async () => {
    const [browser, other, listed] = await twoBrowsers();
    expect(await browser.end(String(listed?.id))).toEqual({ status: 200, body: { all: false } });
    expect(await browser.end(String(listed?.id))).toEqual({ status: 200, body: { all: false } });
    expect((await browser.list()).sessions).toHaveLength(1);
    expect((await other.list()).status).toBe(401);
    expect((await call(getPlan.with(ada), browser.request)).status).toBe(200);
  });

  test('an app’s session removes it, so that it cannot be refreshed', async () => {
    await ada.appSessions.add(app('app-1'));
    expect(await new Browser().signIn('first').end('app-1')).toEqual({ status: 200, body: { all: false } });
    expect([...ada.appSessions.items.keys()]).not.toContain('ada/app-1');
  });

  test('a session of another user changes nothing, and its user’s list has no other', async () => {
    const browser = new Browser().signIn('first');
    const { sessions } = await browser.list();
    await ada.appSessions.add(app('app-1'));
    const eve = { user: 'eve', session: 'eves', authTime: now.getTime() / 1000 };
    const eves = await callForHeaders(listSessions.with(ada), { ...eve, body: {} });
    expect(eves.body['sessions']).toHaveLength(1);
    for (const session of [String(sessions[0]?.id), 'app-1']) {
      await call(endSession.with(ada), { ...eve, body: { session } });
    }
    expect((await browser.list()).sessions).toHaveLength(2);
  });

  test('this session keeps the browser known, and out of the list', async () => {
    const browser = new Browser().signIn('first');
    await browser.list();
    await browser.end('this');
    expect([...ada.appSessions.items.keys()]).toEqual([expect.stringContaining('/browser/')]);
    expect((await new Browser(SAFARI).signIn('other').list()).sessions).toHaveLength(1);
  });

  test('this session leaves another browser’s, and is no failure before the browser was listed', async () => {
    const [browser, other] = [new Browser().signIn('first'), new Browser(SAFARI).signIn('other')];
    expect(await browser.end('this')).toEqual({ status: 200, body: { all: false } });
    for (const [leaving, staying] of [
      [browser, other],
      [other, browser],
    ] as const) {
      await leaving.list();
      await staying.signIn(`again-${staying.session}`).list();
      expect(await leaving.end('this')).toEqual({ status: 200, body: { all: false } });
      expect((await staying.list()).sessions).toMatchObject([{ isCurrent: true }]);
    }
  });

  test('the session of a browser that has signed out ends no other', async () => {
    const [browser, other] = [new Browser().signIn('first'), new Browser(SAFARI).signIn('other')];
    await other.list();
    const [listed] = (await other.list()).sessions;
    await other.end('this');
    await browser.list();
    expect(await browser.end(String(listed?.id))).toEqual({ status: 200, body: { all: false } });
  });

  test('all ends them at Cognito too, refuses earlier tokens at once, and lets the user sign in again', async () => {
    await ada.appSessions.add(app('app-1'));
    const [browser, other] = await twoBrowsers();
    vi.setSystemTime(now.getTime() + 1_000);
    expect(await browser.end('all')).toEqual({ status: 200, body: { all: true } });
    expect(ada.pool.of('ada').sessionsEnded).toHaveLength(1);
    expect(await call(getPlan.with(ada), other.request)).toMatchObject(refused(401, 'not-signed-in'));
    ada.mail.sent.length = 0;
    await other.signIn('other-2').list();
    expect(ada.mail.sent).toHaveLength(1);
    expect((await browser.signIn('second').list()).sessions).toMatchObject([{ isCurrent: true }, {}]);
    expect(ada.mail.sent).toHaveLength(1);
  });

  test('all is one write: without Cognito it succeeds, without the row it fails', async () => {
    const browser = new Browser().signIn('first');
    vi.spyOn(ada.moments, 'takeBack').mockRejectedValueOnce(new Error('The table is away.'));
    expect(await browser.end('all')).toMatchObject(refused(500, 'internal'));
    vi.spyOn(ada.pool, 'endSessions').mockRejectedValueOnce(new Error('Cognito is out of reach.'));
    waitForAddress();
    vi.setSystemTime(now.getTime() + 1_000);
    expect((await browser.end('all')).status).toBe(200);
    expect(log.of('sessions-not-tidied')).toMatchObject([{ user: 'ada', step: 'pool' }]);
    expect(ada.addressChanges.items.get('ada')?.waiting).toBeUndefined();
    expect(await call(getPlan.with(ada), browser.request)).toMatchObject(refused(401, 'not-signed-in'));
  });

  test.each([
    ['a new password', changePassword, { currentPassword: 'correct horse', newPassword: 'battery staple' }],
    ['a disconnected provider', changeProvider, { provider: 'google', connected: false }],
  ] as const)('all by %s keeps the browser known', async (_, change, body) => {
    await ada.appSessions.add(app('app-1'));
    const browser = new Browser().signIn('first');
    await browser.list();
    expect((await browser.ask(change.with(ada), { body })).status).toBe(200);
    expect([...ada.appSessions.items.keys()]).toEqual([expect.stringContaining('/browser/')]);
  });

  test('a browser after fifty others ends all', async () => {
    const ended_sessions = Array.from({ length: 50 }, (_, index) => `s${index}`).join(' ');
    ada.planTable.put({ id: 'ada', ended_sessions });
    const [browser, , listed] = await twoBrowsers();
    expect(await browser.end(String(listed?.id))).toEqual({ status: 200, body: { all: true } });
    expect(ada.pool.of('ada').sessionsEnded).toHaveLength(1);
  });

  test('two browsers at once ends both', async () => {
    const browser = new Browser().signIn('first');
    await browser.list();
    const others = ['other-1', 'other-2'].map((session) => new Browser(SAFARI).signIn(session));
    for (const other of others) await other.list();
    const { sessions } = await browser.list();
    await Promise.all(sessions.slice(1).map(({ id }) => browser.end(id)));
    for (const other of others) expect((await other.list()).status).toBe(401);
    expect((await browser.list()).sessions).toHaveLength(1);
  });
});
