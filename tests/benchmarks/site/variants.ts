import type { BrowserContext } from 'playwright';
import { SiteConfig } from '../../../schemas/config/site-config.ts';
import { createAccount } from '../../fixtures/worlds/account.ts';
import type { World } from '../../fixtures/worlds/world.ts';
import { type BuiltSite, certificate, serve, serveForAnyOrigin } from '../cloudfront.ts';

/**
 * `deployed`: the page as built. `without scripts`: its HTML alone, which is the best possible result on
 * this machine. `final`: what a signed-in user sees in the end, as HTML with its styles and without scripts.
 */
export type Variant = 'deployed' | 'without scripts' | 'final';

export interface Target {
  /** Like `/pricing, signed in`. */
  name: string;
  path: string;
  signedIn: boolean;
  addresses: Partial<Record<Variant, string>>;
}

interface Asked {
  /** Path and query. */
  path: string;
  signedIn: boolean;
}

const SIGNED_IN = ', signed in';

/** A page of the command line: `/pricing` or `/pricing, signed in`. Pages that need a user get one. */
export const askedOf = (name: string): Asked => ({
  path: name.replace(SIGNED_IN, ''),
  signedIn: name.endsWith(SIGNED_IN) || /^\/(dashboard|checkout|cancel)\b/.test(name),
});

/**
 * Serves each page in its variants, and signs a user on Free in through the sign-in page. The session is in
 * the browser's storage for one origin, so signed-in pages have their own origin.
 */
export async function serveVariants(
  asked: readonly Asked[],
  { site, world, context }: { site: BuiltSite; world: World; context: BrowserContext },
): Promise<{ targets: Target[]; close: () => Promise<void> }> {
  const tls = certificate();
  const { userPoolEndpoint, ...config } = SiteConfig.parse(await world.get('/config.json'));
  const cognito = await serveForAnyOrigin(userPoolEndpoint, tls);
  const api = {
    world: world.origin,
    config: JSON.stringify({ ...config, userPoolEndpoint: cognito.origin }),
  };
  const bare = new Map([...site.pages].map(([path, html]) => [path, withoutScripts(html)]));
  const visitors = await serve(site, tls, api);
  const users = await serve(site, tls, { ...api, pages: await withLocalStripe(site, world) });
  const final = new Map<string, string>();
  if (asked.some(({ signedIn }) => signedIn)) {
    await signIn(context, users.origin, world);
    for (const { path, signedIn } of asked) {
      if (signedIn) final.set(pathnameOf(path), await finalHtml(context, users.origin + path));
    }
  }
  const bareForVisitors = await serve(site, tls, { pages: bare });
  const bareForUsers = await serve(site, tls, {
    pages: new Map([...bare].map(([path, html]) => [path, forUsers(html)])),
  });
  const finals = await serve(site, tls, { pages: final });
  const targets = asked.map(({ path, signedIn }): Target => ({
    name: path + (signedIn ? SIGNED_IN : ''),
    path,
    signedIn,
    addresses: signedIn
      ? {
          deployed: users.origin + path,
          'without scripts': bareForUsers.origin + path,
          final: finals.origin + path,
        }
      : { deployed: visitors.origin + path, 'without scripts': bareForVisitors.origin + path },
  }));
  const servers = [cognito, visitors, users, bareForVisitors, bareForUsers, finals];
  return {
    targets,
    close: async () => {
      for (const server of servers) await server.close();
    },
  };
}

const pathnameOf = (path: string): string => new URL(path, 'https://localhost').pathname;

/** Keeps structured data, which doesn't run. */
const withoutScripts = (html: string): string =>
  html.replaceAll(/<script(?! type="application\/ld\+json")[^>]*>.*?<\/script>/gs, '');

/** Marks the document as the script in its head does for a signed-in user. */
const forUsers = (html: string): string => html.replace('<html', '<html data-session="holder"');

/** The checkout with the local world's Stripe.js, which stands in the page: it costs no request. */
async function withLocalStripe({ pages }: BuiltSite, world: World): Promise<Map<string, string>> {
  const script = await (await fetch(`${world.origin}/__local/browser.js`)).text();
  const path = '/checkout';
  const html = pages.get(path) ?? '';
  return new Map([[path, html.replace('<head>', () => `<head><script>${script}</script>`)]]);
}

async function signIn(context: BrowserContext, origin: string, world: World): Promise<void> {
  const { email, password } = await createAccount(world);
  const page = await context.newPage();
  await page.goto(`${origin}/login`);
  await page.getByRole('button', { name: 'Sign In' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(/\/dashboard$/);
  await page.close();
}

/** The page once the network is idle, as HTML that shows the same without scripts. */
async function finalHtml(context: BrowserContext, address: string): Promise<string> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 412, height: 823 });
  await page.goto(address, { waitUntil: 'networkidle' });
  if (await page.getByRole('heading', { name: 'Something went wrong' }).isVisible()) {
    throw new Error(`${address} shows an error in place of the page that is to be measured.`);
  }
  const html = await page.evaluate<string>(`
    (() => {
      const sheets = [...document.styleSheets].filter(({ disabled, href }) =>
        !disabled && (href === null || href.startsWith(location.origin)));
      const css = sheets.flatMap(({ cssRules }) => [...cssRules]).map(({ cssText }) => cssText).join('');
      const copy = document.documentElement.cloneNode(true);
      for (const part of copy.querySelectorAll('script, style, link[rel="stylesheet"], link[rel="modulepreload"]'))
        part.remove();
      for (const frame of copy.querySelectorAll('iframe')) frame.removeAttribute('src');
      const style = document.createElement('style');
      style.textContent = css;
      copy.querySelector('head').append(style);
      return '<!doctype html>' + copy.outerHTML;
    })()
  `);
  await page.close();
  return html;
}
