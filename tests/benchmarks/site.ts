/**
 * Measures how fast the site is: `npm run bench -- site [--runs 5] [page …]`, a page being a path, or a path
 * and `, signed in`. Builds the site, serves it as CloudFront does, with a local world behind it, and runs
 * Lighthouse for each page as on a phone, in both throttling modes.
 *
 * Each run alternates with the same page without scripts, the best possible result on this machine. The HTML
 * of a signed-in page shows that it waits; what the user sees in the end comes after the session and the
 * user's data. So signed-in pages are held beside that final page, too, as static HTML: how much longer a
 * user waits than if a server had sent it. No goal is set for that ratio.
 *
 * With ten runs or more, each five are a repeat, and the table says in how many of them the goal is met.
 */
import { parseArgs } from 'node:util';
import { chromium, type BrowserContext } from 'playwright';
import { findBrowser } from '../fixtures/browser/browser.ts';
import { World } from '../fixtures/worlds/world.ts';
import { browserOfLighthouse, builtSite } from './built-site.ts';
import { readSite } from './cloudfront.ts';
import { measure, type Throttling } from './site/measure.ts';
import { scriptBytes } from './site/script-bytes.ts';
import { figuresTable, goalsTable, type Run, RUNS_OF_A_REPEAT, scriptTable } from './site/site-table.ts';
import { askedOf, serveVariants, type Target, type Variant } from './site/variants.ts';

const PAGES = [
  '/',
  '/pricing',
  '/login',
  '/signup',
  '/forgot-password',
  '/email-confirmation?email=ada@example.com',
  '/dashboard',
  '/checkout?plan=plus',
  '/pricing, signed in',
];
const THROTTLINGS: readonly Throttling[] = ['simulate', 'devtools'];
/** First of four ports, apart from those of the journeys. */
const WORLD_PORT = 5_800;

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const rounds = Number(values.runs);
const asked = (positionals.length > 0 ? positionals : PAGES).map(askedOf);

const executablePath = await findBrowser();
await using ends = new AsyncDisposableStack();
const dist = await builtSite(ends);
const world = new World(WORLD_PORT);
await world.start();
ends.defer(() => world.stop());
const { port, browser } = await browserOfLighthouse(executablePath);
const { targets, close } = await inProfile((context) =>
  serveVariants(asked, { site: readSite(dist), world, context }),
);
// The browser closes first: its connections would keep the servers open.
ends.defer(close);
ends.defer(() => browser.close());

const measured: Run[] = [];
for (let round = 1; round <= rounds; round += 1) {
  for (const target of targets) {
    for (const throttling of THROTTLINGS) measured.push(...(await measureAll(target, throttling, round)));
  }
  console.error(`Round ${round} of ${rounds}.`);
  if (round % RUNS_OF_A_REPEAT === 0 && round < rounds) console.error(goalsTable(measured));
}
const weights = [];
for (const target of targets) {
  const { deployed = '' } = target.addresses;
  const bytes = await inProfile((context) => scriptBytes(context, deployed));
  weights.push({ target, bytes });
}
console.log([goalsTable(measured), figuresTable(measured), scriptTable(weights)].join('\n\n'));
console.log(
  `\nLighthouse as a phone, median of ${rounds} alternating runs; HTTP/2 over TLS on this machine, brotli 11.`,
);

/**
 * Uses the browser's own profile, in which Lighthouse opens its pages. Disconnects afterwards: Playwright
 * would take part in the pages that Lighthouse opens.
 */
async function inProfile<T>(use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const connection = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = connection.contexts();
  if (!context) throw new Error('The browser has no profile.');
  try {
    return await use(context);
  } finally {
    await connection.close();
  }
}

/**
 * The variants in turn. Every second round begins with the page itself, so that neither side is always
 * first. A signed-in page is always last: the run before it has emptied the cache, which its own must keep
 * with the session.
 */
async function measureAll(target: Target, throttling: Throttling, round: number): Promise<Run[]> {
  const { deployed, ...references } = target.addresses;
  const page = ['deployed', deployed];
  const others = Object.entries(references);
  const ordered = round % 2 === 0 && !target.signedIn ? [page, ...others] : [...others, page];
  const runs: Run[] = [];
  for (const [variant, address] of ordered as [Variant, string][]) {
    const keepsStorage = target.signedIn && variant === 'deployed';
    const figures = await measure(address, { throttling, port, keepsStorage });
    runs.push({ target, throttling, variant, round, ...figures });
  }
  return runs;
}
