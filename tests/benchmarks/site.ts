/**
 * Measures how fast the site is for a visitor: `npm run bench -- site [--runs 5] [path …]`. Builds the site,
 * serves it as CloudFront does, and runs Lighthouse for each page as on a phone, in both throttling modes.
 * Each run alternates with the same page without scripts, the best possible result on this machine.
 */
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { freePort } from '../../infra/local/base/loopback.ts';
import type { SiteConfig } from '../../schemas/config/site-config.ts';
import { browserArguments, findBrowser } from '../fixtures/browser/browser.ts';
import { keptSite } from '../fixtures/browser/build-once.ts';
import { certificate, readSite, serve } from './cloudfront.ts';
import { measure, type Throttling } from './site/measure.ts';
import { type ScriptBytes, scriptBytes } from './site/script-bytes.ts';
import { figuresTable, goalsTable, type Run, scriptTable, type Variant } from './site/site-table.ts';

const PAGES = [
  '/',
  '/pricing',
  '/login',
  '/signup',
  '/forgot-password',
  '/email-confirmation?email=ada@example.com',
];
const THROTTLINGS: readonly Throttling[] = ['simulate', 'devtools'];

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

const measured: Run[] = [];
for (let round = 1; round <= rounds; round += 1) {
  // Neither side is always first.
  const variants: Variant[] = ['deployed', 'without scripts'];
  if (round % 2 === 0) variants.reverse();
  for (const path of pages) {
    for (const throttling of THROTTLINGS) {
      for (const variant of variants) {
        const figures = await measure(servers[variant].origin + path, { throttling, port });
        measured.push({ path, throttling, variant, round, ...figures });
      }
    }
  }
  console.error(`Round ${round} of ${rounds}.`);
}
const weights: { path: string; bytes: ScriptBytes }[] = [];
for (const path of pages) {
  const context = await browser.newContext();
  weights.push({ path, bytes: await scriptBytes(context, servers.deployed.origin + path) });
  await context.close();
}
// The browser closes first: its connections would keep the servers open.
await browser.close();
for (const { close } of Object.values(servers)) await close();
console.log([goalsTable(measured), figuresTable(measured), scriptTable(weights)].join('\n\n'));
console.log(
  `\nLighthouse as a phone, median of ${rounds} alternating runs; HTTP/2 over TLS on this machine, brotli 11.`,
);
