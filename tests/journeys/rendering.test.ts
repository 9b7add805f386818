import { addressParts } from '../../web/src/components/address-parts.ts';
import {
  applicationStarted,
  errorsOf,
  expect,
  holdScripts,
  SCRIPTS,
  signInByStorage,
  test,
} from '../fixtures/browser/journey.ts';
import { startSlowProxy } from '../fixtures/browser/slow-proxy.ts';

test('a blocked resource is reported to the API, without the query', async ({ page, world }) => {
  const reported = page.waitForRequest((request) => request.url().endsWith('/api/csp-report'));
  // As a browser without the Reporting API, which sends at once.
  await page.route('/pricing?from=ada', async (route) => {
    const response = await route.fetch();
    const policy = String(response.headers()['content-security-policy']).replace('; report-to default', '');
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
  });
  await page.goto('/pricing?from=ada');
  await page
    .getByRole('main')
    .evaluate((main: { insertAdjacentHTML(place: string, html: string): void }) =>
      main.insertAdjacentHTML('beforeend', '<img alt="" src="https://tracker.example/pixel.png?who=ada">'),
    );
  expect((await (await reported).response())?.status()).toBe(200);
  const line = () => world.output.find((text) => text.includes('csp-violation'));
  await expect.poll(line).toContain('https://tracker.example');
  expect(line()).not.toMatch(/ada/);
});

test('fonts that come too late for a page are shown by the next one', async ({ page }) => {
  const client = await page.context().newCDPSession(page);
  const fontOf = async (selector: string) => {
    const { root } = await client.send('DOM.getDocument');
    const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId });
    return fonts.map(({ familyName }) => familyName);
  };
  await client.send('DOM.enable');
  await client.send('CSS.enable');
  const painted = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    await painted.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  painted.resolve();
  await page.waitForLoadState('load');
  await applicationStarted(page);
  expect(await fontOf('h1')).not.toContain('Selfsame Serif');
  await page.getByRole('link', { name: 'Pricing' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Start free');
  await expect.poll(() => fontOf('h1')).toEqual(['Selfsame Serif']);
});

/** A script that reads what the styles write into the first element that a selector matches. */
const shownIn = (selector: string): string =>
  `getComputedStyle(document.querySelector('${selector}'), '::before').content`;

test('a page that waits for the session names the user meanwhile', async ({ page, account, world }) => {
  await signInByStorage(page, account, world);
  await page.goto('/pricing');
  await applicationStarted(page);
  // The session is never read.
  await page.route('**/config.json', () => undefined);
  await page.reload();
  await applicationStarted(page);
  // The click comes before the page's code.
  const click = await holdScripts(page);
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading');
  click();
  await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${account.name}` })).toBeVisible();
  await page.unrouteAll();

  // The page before the application has loaded.
  await page.route(SCRIPTS, (route) => route.abort());
  await page.goto('/pricing');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0);
  await expect(page.getByText('Loading your plan...')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in to Upgrade' })).toHaveCount(0);

  // By CSS, from the stored token: the accessible name is what a screen reader says.
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${account.name}` })).toBeVisible();
  const address = addressParts(account.email).join('\u200B');
  expect(await page.evaluate(shownIn('section p + p span'))).toBe(`"${address}"`);
  await page.goto('/checkout?plan=plus');
  await expect.poll(() => page.evaluate(shownIn('strong [data-for="holder"] span'))).toBe(`"${address}"`);
  await page.goto('/login', { waitUntil: 'domcontentloaded' });
  await expect(page.getByRole('main').getByText('Loading')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeHidden();
});

test('content far below is laid out after the first paint, or as it is gone to', async ({ page }) => {
  const root = page.locator('html');
  await page.goto('/');
  // Again, with the fonts, which can come too late for the first visit of a busy browser.
  await page.reload();
  await expect(root).not.toHaveAttribute('data-opening');
  await expect(page.locator('[data-below-fold]')).toHaveCount(0);
  const heightOfPage = () => page.evaluate('document.documentElement.scrollHeight');
  const height = await heightOfPage();

  // The page before anything has followed the first paint.
  await page.addInitScript('globalThis.requestAnimationFrame = () => 0');
  await page.goto('/articles');
  await page.goto('/');
  await expect(root).toHaveAttribute('data-opening');
  expect(await heightOfPage()).not.toBe(height);
  await page.getByText('Start with the free plan.').scrollIntoViewIfNeeded();
  await expect(page.getByText('Start with the free plan.')).toBeInViewport();

  // To a place within the page, by its address and by a reload.
  await page.goto('/articles');
  await page.goto('/#features');
  await expect(root).not.toHaveAttribute('data-opening');
  expect(await heightOfPage()).toBe(height);
  // As it starts, the application goes to the place in the address. Not `applicationStarted`: it waits for
  // frames.
  await expect.poll(() => page.evaluate("'earlyClick' in globalThis")).toBe(false);
  await page.evaluate(`scrollTo({ top: 3000, behavior: 'instant' }); history.replaceState(null, '', '/')`);
  await page.reload();
  await expect(root).not.toHaveAttribute('data-opening');
  await expect.poll(() => page.evaluate('scrollY')).toBe(3000);
});

test('text that is typed and sent before hydration is kept', async ({ page, account }) => {
  const send = await holdScripts(page);
  const faults = errorsOf(page);
  await page.goto('/login');
  await page.getByLabel('Email').fill(account.email);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill(account.password.slice(1));
  await password.press('Home');
  await password.press(account.password.charAt(0));
  await password.press('Enter');
  const caret = () =>
    password.evaluate((input) => (input as unknown as { selectionStart: number }).selectionStart);
  expect(await caret()).toBe(1);
  // The form as it is after hydration, while the account code is on its way.
  await page.route(/\/assets\/(sign-in|signIn)-/, () => {});
  send();
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible();
  expect(await caret()).toBe(1);
  await expect(password).toBeFocused();
  await expect(password).toHaveValue(account.password);
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
  expect(faults).toEqual([]);
});

test('a confirmation sent as the page hydrates has the token of the link', async ({ page, world }) => {
  // In the browser that signed up.
  await page
    .context()
    .addCookies([{ name: 'sign-up', value: 'ada%40example%2Ecom.secret', url: world.origin }]);
  // React tells its developer tools of each commit, before it runs effects. The first commit with the form's
  // props has hydrated it, but has no query yet.
  await page.addInitScript(`
    globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => {},
      onPostCommitFiberRoot: () => {},
      onCommitFiberRoot() {
        const form = document.querySelector('main form');
        if (!form || !Object.keys(form).some((key) => key.startsWith('__reactProps'))) return;
        this.onCommitFiberRoot = () => {};
        form.requestSubmit();
      },
    };
  `);
  const sent = page.waitForRequest('**/api/confirm-sign-up');
  const token = 'a'.repeat(43);
  await page.goto(`/email-confirmation?email=ada@example.com#${token}`);
  expect((await sent).postDataJSON()).toMatchObject({ token });
  await expect(page.getByText('Please enter the code from our email.')).toBeHidden();
});

test('a click before hydration is replayed after it, and what was filled in is kept', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const load = await holdScripts(page);
  await page.goto('/signup');
  const filled = [
    ['Full name', 'Ada'],
    ['Password', 'correct horse'],
    ['Confirm password', 'correct house'],
  ] as const;
  for (const [label, value] of filled) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: 'Open menu' }).click();
  load();
  await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  for (const [label, value] of filled) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  }
});

test('the next page’s script is prefetched before the click', async ({ page }) => {
  await page.goto('/');
  await applicationStarted(page);
  await page.waitForLoadState('networkidle');
  const link = page.getByRole('banner').getByRole('link', { name: 'Pricing' });
  const arrives = page.waitForResponse(/\/assets\/pricing-page-.*\.js/);
  await link.hover();
  await arrives;
  await page.waitForLoadState('networkidle');
  const late: string[] = [];
  page.on('request', (request) => {
    if (/\.(js|css)$/.test(request.url())) late.push(request.url());
  });
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveTitle(/^Pricing/);
  expect(await page.evaluate(() => (globalThis as { scrollY?: number }).scrollY)).toBe(0);
  expect(late).toEqual([]);
});

test('a page whose script loads before the rest of it hydrates all the same', async ({ page, world }) => {
  const slow = await startSlowProxy(world.origin);
  const faults = errorsOf(page);
  await page.goto(`${slow.origin}/login`, { waitUntil: 'commit' });
  // Without a user, the script waits for the end of the page.
  await expect.poll(() => page.evaluate('window.earlyClick !== undefined')).toBe(true);
  await page.keyboard.press('Tab');
  // The script has loaded, and had two frames in which to run.
  await page.waitForFunction(`
    performance.getEntriesByName(
      new URL(document.querySelector('[data-application]')?.dataset.application ?? '/none', location).href,
    ).length > 0
  `);
  await page.evaluate(`
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  `);
  slow.sendRest();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  expect(faults).toEqual([]);
  await page.close();
  await slow.close();
});

test('an error in leaving a page is not the next page’s, and is logged as one line', async ({ page }) => {
  const TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.signature';
  const logged: unknown[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(JSON.parse(message.text()));
  });
  await page.goto('/login?from=mail');
  await applicationStarted(page);
  // The sign-in page listens for its return, and stops listening as it is left.
  await page.evaluate(`
    window.removeEventListener = () => {
      throw new Error('Failed at /oauth/callback?code=secret with ${TOKEN}');
    };
  `);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveTitle(/^Terms/);
  const line = (origin: string, message: string, more: object = { path: '/terms' }) =>
    expect.objectContaining({ event: 'page-error', origin, message, ...more }) as unknown;
  await expect
    .poll(() => logged)
    .toContainEqual(
      line('caught', 'Error: Failed at /oauth/callback with [token]', {
        componentStack: expect.stringContaining('at '),
      }),
    );
  await page.evaluate(`
    setTimeout(() => { throw new TypeError('In a timer.'); });
    void Promise.reject(new RangeError('In a promise.'));
  `);
  await expect.poll(() => logged).toContainEqual(line('script', 'TypeError: In a timer.'));
  await expect.poll(() => logged).toContainEqual(line('promise', 'RangeError: In a promise.'));
  expect(JSON.stringify(logged)).not.toContain('secret');

  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  // The page fails on leaving this time too.
  await page.goBack();
  await expect(page).toHaveTitle(/^Terms/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('an error in the frame around the pages shows a message with a link home', async ({ page }) => {
  await page.goto('/pricing');
  await applicationStarted(page);
  await page.evaluate(`
    const set = Element.prototype.setAttribute;
    Element.prototype.setAttribute = function (name, value) {
      if (name === 'aria-current') throw new Error('The link could not be marked.');
      set.call(this, name, value);
    };
  `);
  await page.getByRole('banner').getByRole('link', { name: 'Demo' }).click();
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
});
