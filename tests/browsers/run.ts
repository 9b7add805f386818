/**
 * Opens every page and walks the main journey in each browser that is found:
 * `npm run test:browsers -- [--browser firefox]`. A browser that is missing is named, and is
 * no failure unless it was asked for.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pagesOf } from '../../infra/constructs/website/page-routing.ts';
import { synthesizeStaging } from '../../infra/local/stack/synthesis.ts';
import { keptSite } from '../fixtures/browser/build-once.ts';
import { World } from '../fixtures/worlds/world.ts';
import { type Found, pageScript } from './engine.ts';
import { findBrowsers } from './find-browsers.ts';
import { type Check, checksOf } from './smoke.ts';

// After those of the journeys, so that both can run at the same time.
const PORT = Number(process.env['SELFSAME_JOURNEYS_PORT'] ?? 5_200) + 510;
const SCRIPT = '/smoke.js';

const { values: options } = parseArgs({ options: { browser: { type: 'string' } } });
const browsers = findBrowsers();
const asked = browsers.filter(({ key }) => options.browser === undefined || key === options.browser);
if (asked.length === 0) {
  throw new Error(`--browser is one of ${browsers.map(({ key }) => key).join(', ')}.`);
}
const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-browsers-'));
process.env['TMPDIR'] = folder;
let passed = 0;
let failed = 0;
/** A line for each browser: its version, or how to install it. */
const notes: string[] = [];

/** Puts the page script first into every page of a site. Returns the paths of the pages. */
function addPageScript(dist: string): { all: string[]; unlisted: string[] } {
  writeFileSync(path.join(dist, SCRIPT), pageScript);
  const all = ['/', ...pagesOf(dist)];
  const unlisted: string[] = [];
  for (const page of [...all, '/404']) {
    const file = path.join(dist, `${page === '/' ? '/index' : page}.html`);
    const html = readFileSync(file, 'utf8');
    if (page !== '/404' && html.includes('noindex')) unlisted.push(page);
    writeFileSync(file, html.replace('<head>', `<head><script src="${SCRIPT}"></script>`));
  }
  return { all, unlisted };
}

function fail(title: string, error: unknown): void {
  const causes: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  const failure = `${title}\n  ${(causes.length > 0 ? causes.join('\n') : String(error)).replaceAll('\n', '\n  ')}`;
  failed += 1;
  console.log(`✘ ${failure}`);
}

async function smoke(
  { key, launch }: Found,
  checksIn: (engine: Awaited<ReturnType<typeof launch>>) => Check[],
): Promise<void> {
  const started = performance.now();
  let engine;
  try {
    engine = await launch();
  } catch (error) {
    notes.push(`${key}: did not start`);
    return fail(`${key} starts`, error);
  }
  const { name } = engine;
  console.log(`${name} …`);
  try {
    for (const { title, run, isNeeded } of checksIn(engine)) {
      try {
        await run();
        passed += 1;
      } catch (error) {
        fail(`${name}: ${title}`, error);
        if (isNeeded) break;
      }
    }
  } finally {
    await engine.close();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  notes.push(`${name}: ran, ${seconds} s`);
}

let world: World | undefined;
try {
  const dist = path.join(folder, 'site');
  cpSync(await keptSite(), dist, { recursive: true });
  const pages = addPageScript(dist);
  const synthesized = await synthesizeStaging({ outdir: path.join(folder, 'stack'), site: dist });
  process.env['SELFSAME_BUILT'] = JSON.stringify({ dist, synthesized });
  world = new World(PORT);
  await world.start();
  const running = world;
  await Promise.all(
    asked.map(async (browser) => {
      if ('launch' in browser) return smoke(browser, (engine) => checksOf(engine, running, pages));
      const { missing, remedy } = browser;
      notes.push(`${missing}: missing. It comes with ${remedy}.`);
      if (options.browser !== undefined) fail(`${missing} is there`, 'It is missing.');
    }),
  );
} finally {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
for (const note of notes) console.log(note);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
