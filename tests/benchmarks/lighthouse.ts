/**
 * Holds every page of the sitemap against Lighthouse, as on a phone: `npm run bench -- lighthouse [path …]`.
 * Builds the site and serves it as CloudFront does. Prints the scores of each page and what it was marked
 * down for, and fails unless each score is 100.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import lighthouse, { type RunnerResult } from 'lighthouse';
import { findBrowser } from '../fixtures/browser/browser.ts';
import { browserOfLighthouse, builtSite } from './built-site.ts';
import { certificate, readSite, serve } from './cloudfront.ts';

type Result = RunnerResult['lhr'];

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
/** A busy moment of this machine costs a page points. The best of so many runs counts. */
const MOST_RUNS = 3;

const executablePath = await findBrowser();
await using ends = new AsyncDisposableStack();
const dist = await builtSite(ends);
const server = await serve(readSite(dist), certificate());
ends.defer(server.close);
const { port, browser } = await browserOfLighthouse(executablePath);
ends.defer(() => browser.close());

const asked = process.argv.slice(2);
const paths = asked.length > 0 ? asked : pathsIn(await readFile(path.join(dist, 'sitemap.xml'), 'utf8'));
const rows = [];
let isPerfect = true;
for (const page of paths) {
  const { scores, faults } = await best(page);
  if (faults.length > 0) isPerfect = false;
  rows.push(`| ${[page, ...scores, faults.join(', ')].join(' | ')} |`);
  console.error(`${rows.length} of ${paths.length}: ${page}`);
}
const titles = ['page', ...CATEGORIES, 'marked down for'];
console.log([`| ${titles.join(' | ')} |`, `|${' --- |'.repeat(titles.length)}`, ...rows].join('\n'));
process.exitCode = isPerfect ? 0 : 1;

function pathsIn(sitemap: string): string[] {
  return [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
}

/** Scores in per cent, in the order of the categories, and the audits that took points. */
interface Scores {
  scores: readonly number[];
  faults: readonly string[];
}

async function best(page: string): Promise<Scores> {
  let found = await score(page);
  for (let run = 1; run < MOST_RUNS && found.faults.length > 0; run += 1) {
    const next = await score(page);
    if (sumOf(next.scores) > sumOf(found.scores)) found = next;
  }
  return found;
}

function sumOf(scores: readonly number[]): number {
  return scores.reduce((sum, next) => sum + next, 0);
}

async function score(page: string): Promise<Scores> {
  const result = await lighthouse(
    server.origin + page,
    { port, logLevel: 'silent' },
    { extends: 'lighthouse:default', settings: { formFactor: 'mobile', onlyCategories: CATEGORIES } },
  );
  if (!result) throw new Error(`Lighthouse returned no result for ${page}.`);
  const { runtimeError, categories, audits } = result.lhr;
  if (runtimeError) throw new Error(`${page}: ${runtimeError.code}: ${runtimeError.message}`);
  const scores = CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100));
  const marked = CATEGORIES.filter((_, index) => scores[index] !== 100);
  const faults = marked.flatMap((name) => {
    const low = lowAudits(categories[name], audits);
    // Many audits that are nearly perfect can take a point together.
    return low.length > 0 ? low : [name];
  });
  return { scores, faults };
}

function lowAudits(category: Result['categories'][string] | undefined, audits: Result['audits']): string[] {
  return (category?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => id);
}
