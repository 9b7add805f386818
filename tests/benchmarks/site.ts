/**
 * Measures how fast the site is for a visitor: `npm run bench -- [--runs 5] [path …]`. Builds the site,
 * serves it as CloudFront does, and runs Lighthouse for each page as on a phone. Each run alternates with the
 * same page without scripts, the best possible result on this machine. It takes twelve minutes, on a machine
 * that does nothing else, and `openssl`. Trust the ratios; milliseconds are this machine's.
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import * as z from 'zod/mini';
import { chromium } from 'playwright';
import { freePort } from '../../infra/local/base/loopback.ts';
import type { SiteConfig } from '../../schemas/config/site-config.ts';
import { browserArguments, findBrowser } from '../fixtures/browser/browser.ts';
import { keptSite } from '../fixtures/browser/build-once.ts';
import { certificate, readSite, serve } from './cloudfront.ts';
import { type Figures, figuresTable, type Variant } from './site-table.ts';

/** Fetched by the first run: with its telemetry, it is an eighth of a gigabyte that nothing else needs. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const Result = z.object({
  runtimeError: z.optional(z.object({ message: z.string() })),
  audits: z.record(z.string(), z.object({ numericValue: z.optional(z.number()) })),
});

const PAGES = [
  '/',
  '/pricing',
  '/login',
  '/signup',
  '/forgot-password',
  '/email-confirmation?email=ada@example.com',
];

/** A visitor's pages read it, and call none of its addresses. */
const config: SiteConfig = {
  userPoolId: 'us-east-1_pool',
  userPoolClientId: 'client',
  userPoolEndpoint: 'https://cognito-idp.us-east-1.amazonaws.com',
  signInOrigin: 'https://sign-in.selfsame.example',
  providers: ['google', 'github'],
  relayClientId: 'relay',
  relayAddresses: [],
  legacyAddresses: [],
  stripePublishableKey: 'pk_test_1',
};

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const rounds = Number(values.runs);
const pages = positionals.length > 0 ? positionals : PAGES;

const executablePath = await findBrowser();
const site = readSite(await keptSite());
const tls = certificate();
/** Keeps structured data, which doesn't run. */
const withoutScripts = (html: string): string =>
  html.replaceAll(/<script(?! type="application\/ld\+json")[^>]*>.*?<\/script>/gs, '');
const servers = {
  deployed: await serve(site, tls, { config: JSON.stringify(config) }),
  'without scripts': await serve(site, tls, {
    pages: new Map([...site.pages].map(([path, html]) => [path, withoutScripts(html)])),
  }),
};
const port = await freePort('127.0.0.1');
const browser = await chromium.launch({
  executablePath,
  args: [...browserArguments, `--remote-debugging-port=${port}`, '--ignore-certificate-errors'],
});

/** Runs Lighthouse as on a phone. */
async function measure(address: string): Promise<Figures> {
  const options = [`--port=${port}`, '--output=json', '--quiet', '--no-enable-error-reporting'];
  const asPhone = ['--form-factor=mobile', '--throttling-method=devtools', '--only-categories=performance'];
  const { stdout } = await promisify(execFile)(
    'npx',
    ['--yes', LIGHTHOUSE, address, ...options, ...asPhone],
    { maxBuffer: 100_000_000 },
  );
  const { runtimeError, audits } = Result.parse(JSON.parse(stdout));
  if (runtimeError) throw new Error(`${address}: ${runtimeError.message}`);
  const value = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN;
  return {
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
  };
}

const runs = new Map(pages.map((path) => [path, [] as Record<Variant, Figures>[]]));
for (let round = 1; round <= rounds; round += 1) {
  // Neither side is always first.
  const variants: Variant[] = ['deployed', 'without scripts'];
  if (round % 2 === 0) variants.reverse();
  for (const [path, measured] of runs) {
    const figures: Partial<Record<Variant, Figures>> = {};
    for (const variant of variants) figures[variant] = await measure(servers[variant].origin + path);
    measured.push(figures as Record<Variant, Figures>);
  }
  console.error(`Round ${round} of ${rounds}.`);
}
// The browser closes first: its connections would keep the servers open.
await browser.close();
for (const { close } of Object.values(servers)) await close();
console.log(figuresTable(runs));
console.log(
  `\nLighthouse as a phone, median of ${rounds} alternating runs; HTTP/2 over TLS on this machine, brotli 11.`,
);
