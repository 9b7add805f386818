import type { Response } from 'playwright/test';
import { product } from '../../schemas/product.ts';
import { addressParts } from '../../web/src/components/address-parts.ts';
import { applicationStarted, errorsOf, expect, openDashboard, test } from '../fixtures/browser/journey.ts';
import { startSlowProxy } from '../fixtures/browser/slow-proxy.ts';
import type { World } from '../fixtures/worlds/world.ts';

const ADDRESS = /<loc>([^<]*)<\/loc>/g;

/** Paths of the pages in the sitemap. */
async function listedPages(world: World): Promise<string[]> {
  const sitemap = await (await fetch(`${world.origin}/sitemap.xml`)).text();
  return [...sitemap.matchAll(ADDRESS)].map(([, address = '']) => new URL(address).pathname);
}

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('every listed page can be read, and has links and a title, description, address and picture of its own', async ({
    page,
    world,
  }) => {
    const pages = await listedPages(world);
    expect(pages).toEqual(expect.arrayContaining(['/', '/pricing']));
    const seen: Record<'title' | 'description' | 'canonical' | 'image', Set<string>> = {
      title: new Set(),
      description: new Set(),
      canonical: new Set(),
      image: new Set(),
    };
    for (const path of pages) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
      expect(await page.getByRole('main').innerText()).not.toBe('');
      await expect(page.getByRole('contentinfo').getByRole('link').first()).toBeVisible();

      seen.title.add(await page.title());
      const content = (selector: string) => page.locator(selector).getAttribute('content');
      seen.description.add((await content('meta[name="description"]')) ?? '');
      const image = (await content('meta[property="og:image"]')) ?? '';
      seen.image.add(image);
      const picture = await fetch(world.origin + new URL(image).pathname);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      const canonical = (await page.locator('link[rel="canonical"]').getAttribute('href')) ?? '';
      expect(canonical).toBe(`${product.siteOrigin}${path}`);
      seen.canonical.add(canonical);
      await expect(page.locator('meta[name="robots"]')).toHaveCount(0);
    }
    for (const values of Object.values(seen)) expect(values.size).toBe(pages.length);
  });

  test('every user is a visitor', async ({ page }) => {
    await page.goto('/pricing');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Sign in to Upgrade' }).click();
    await expect(page).toHaveURL('/login');
    // Chromium renders noscript only if scripts are off in its settings, not as Playwright disables them.
    expect(await page.locator('noscript').textContent()).toContain('This page needs JavaScript');
  });

  test('an unknown address says so', async ({ page }) => {
    const response = await page.goto('/nowhere');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
});

test('every listed page hydrates without errors, from this host alone, without account or payment code', async ({
  page,
  world,
}) => {
  test.slow();
  const faults = errorsOf(page);
  const requests: URL[] = [];
  page.on('request', (request) => requests.push(new URL(request.url())));
  for (const path of await listedPages(world)) {
    const scripts: Promise<string>[] = [];
    const keep = (response: Response) => {
      if (response.url().includes('/assets/') && response.url().endsWith('.js'))
        scripts.push(response.text());
    };
    page.on('response', keep);
    await page.goto(path);
    const heading = await page.getByRole('heading', { level: 1 }).elementHandle();
    await applicationStarted(page);
    await page.waitForLoadState('networkidle');
    page.off('response', keep);
    // Hydration keeps the server's elements.
    expect(await heading?.evaluate((element) => (element as { isConnected?: boolean }).isConnected)).toBe(
      true,
    );
    expect({ path, faults }).toEqual({ path, faults: [] });
    const code = (await Promise.all(scripts)).join('\n');
    expect(code).toContain('hydrateRoot');
    expect(code).not.toMatch(/CognitoIdentityProvider\b.*InitiateAuth|js\.stripe\.com/);
  }
  expect(new Set(requests.map(({ origin }) => origin))).toEqual(new Set([world.origin]));
});

test('unlisted pages ask not to be indexed', async ({ page }) => {
  for (const path of ['/login', '/dashboard', '/checkout', '/nowhere']) {
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
    await expect(page.locator('link[rel="canonical"]')).toHaveCount(0);
  }
});

test('a page has a single address', async ({ request, world }) => {
  for (const [asked, given] of [
    ['/privacy-policy', '/privacy'],
    ['/policy', '/privacy'],
    ['/Pricing/', '/pricing'],
    ['/pricing.html?from=mail', '/pricing?from=mail'],
  ]) {
    const response = await request.get(asked ?? '', { maxRedirects: 0 });
    expect([asked, response.status(), response.headers()['location']]).toEqual([asked, 301, given]);
  }
  expect((await request.get('/assets/gone.js')).status()).toBe(404);
  expect((await request.get('/nowhere')).status()).toBe(404);
  expect((await fetch(`${world.origin}/robots.txt`)).status).toBe(200);
});

test('pages and answers of the API have the headers of the deployed site', async ({ request }) => {
  const headersOf = async (path: string) => (await request.get(path)).headers();
  const common = {
    'x-xss-protection': '0',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  };
  for (const path of ['/', '/dashboard', '/nowhere', '/config.json']) {
    expect(await headersOf(path)).toMatchObject({
      ...common,
      'reporting-endpoints': 'csp="/api/csp-report"',
      'content-security-policy': expect.stringContaining('report-uri /api/csp-report; report-to csp'),
    });
  }
  expect(await headersOf('/api/plan')).toMatchObject({
    ...common,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
});

test('the address for reports of vulnerabilities can be found', async ({ request }) => {
  const answer = await request.get('/.well-known/security.txt');
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const [, expires = ''] = /^Expires: (.*)$/m.exec(await answer.text()) ?? [];
  expect(Date.parse(expires)).toBeGreaterThan(Date.now());
});

test('a blocked resource is reported to the API, without the query', async ({ page, world }) => {
  const reported = page.waitForRequest((request) => request.url().endsWith('/api/csp-report'));
  // As a browser without the Reporting API, which sends at once.
  await page.route('/pricing?from=ada', async (route) => {
    const response = await route.fetch();
    const policy = String(response.headers()['content-security-policy']).replace('; report-to csp', '');
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

test('a page has cache headers', async ({ request, page }) => {
  await page.goto('/');
  const script = await page.locator('script[data-application]').getAttribute('data-application');
  const cached = async (path: string) => (await request.get(path)).headers()['cache-control'];
  expect(await cached(script ?? '')).toBe('public, max-age=31536000, immutable');
  expect(await cached('/pricing')).toBe('public, max-age=0, s-maxage=86400, must-revalidate');
});

/** A script that reads what the styles write into the first element that a selector matches. */
const shownIn = (selector: string): string =>
  `getComputedStyle(document.querySelector('${selector}'), '::before').content`;

test('a signed-in user sees no visitor’s page while the application loads', async ({
  page,
  account,
  world,
}) => {
  await openDashboard(page, account, world);
  // The page before the application has loaded.
  await page.route('**/assets/*.js', (route) => route.abort());
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
  await expect.poll(() => page.evaluate(shownIn('strong span'))).toBe(`"${address}"`);
});

test('content far below the first screen is laid out after the first paint, unless the browser goes there', async ({
  page,
}) => {
  const root = page.locator('html');
  await page.goto('/');
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
  await page.getByText('Start with the free one.').scrollIntoViewIfNeeded();
  await expect(page.getByText('Start with the free one.')).toBeInViewport();

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

test('a page that waits for the session names the user, however it was opened', async ({
  page,
  account,
  world,
}) => {
  await openDashboard(page, account, world);
  await page.goto('/pricing');
  await applicationStarted(page);
  // The session is never read.
  await page.route('**/config.json', () => undefined);
  await page.reload();
  await applicationStarted(page);
  // The click comes before the page's code.
  const { promise: clicked, resolve: click } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await clicked;
    await route.continue();
  });
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading');
  click();
  await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${account.name}` })).toBeVisible();
});

test('a click before hydration is replayed after it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const { promise: pressed, resolve: press } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await pressed;
    await route.continue();
  });
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Open menu' }).click();
  press();
  await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
});

test('text that is typed and sent before hydration is kept', async ({ page, account }) => {
  const { promise: sent, resolve: send } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await sent;
    await route.continue();
  });
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

test('a confirmation that is sent while the page hydrates has the code of the mail’s link', async ({
  page,
  world,
}) => {
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
  const sent = page.waitForRequest((request) => request.postData()?.includes('ConfirmationCode') ?? false);
  await page.goto('/email-confirmation?email=ada@example.com&code=123456');
  expect((await sent).postDataJSON()).toMatchObject({ ConfirmationCode: '123456' });
  await expect(page.getByText('Please enter the code from our email.')).toBeHidden();
});

test('both new passwords are kept that were filled in before hydration', async ({ page }) => {
  const { promise: filled, resolve: load } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await filled;
    await route.continue();
  });
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Ada');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByLabel('Confirm password').fill('correct house');
  load();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  for (const [label, value] of [
    ['Full name', 'Ada'],
    ['Password', 'correct horse'],
    ['Confirm password', 'correct house'],
  ] as const) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  }
});

test('a signed-in user who opens the sign-in page never sees its form', async ({ page, account, world }) => {
  await openDashboard(page, account, world);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/login', { waitUntil: 'domcontentloaded' });
  await expect(page.getByRole('main').getByText('Loading')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeHidden();
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

test('a page whose script loads before the rest of the page hydrates all the same', async ({
  page,
  world,
}) => {
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

test('an error in leaving a page is not the next page’s', async ({ page }) => {
  await page.goto('/login');
  await applicationStarted(page);
  // The sign-in page listens for its return, and stops listening as it is left.
  await page.evaluate(`
    window.removeEventListener = () => {
      throw new Error('The clean-up failed.');
    };
  `);
  const faults = errorsOf(page);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveTitle(/^Terms/);
  expect(faults.join()).toContain('The clean-up failed.');
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
