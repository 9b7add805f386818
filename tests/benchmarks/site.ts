/**
 * Measures how fast the site is: `npm run bench:site -- [--runs 5] [path …]`. Builds the site, serves it as
 * CloudFront does and runs Lighthouse for each page as on a phone, in both throttling modes. Each run
 * alternates with the same page without scripts, which is the best possible result on this machine. A figure
 * is the median of the runs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright';
import { buildSite } from '../../infra/local/development-site.ts';
import { browserArguments, findBrowser } from '../fixtures/browser.ts';
import { freePort } from '../../infra/local/base/loopback.ts';
import { certificate, serve } from './cloudfront.ts';

const modes = ['simulate', 'devtools'] as const;
const variants = ['deployed', 'without scripts'] as const;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Run {
  page: string;
  mode: (typeof modes)[number];
  variant: (typeof variants)[number];
  lcp: number;
  fcp: number;
  tbt: number;
  cls: number;
  scores: number[];
  html: number;
  script: number;
  requests: number;
}

interface NetworkRequest {
  resourceType?: string;
  transferSize?: number;
}

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const runs = Number(values.runs);
const pages = positionals.length > 0 ? positionals : ['/', '/pricing'];

// Keeps structured data, which does not execute.
const withoutScripts = (html: string): string =>
  html.replaceAll(/<script(?! type="application\/ld\+json")[^>]*>.*?<\/script>/gs, '');

const folder = await mkdtemp(path.join(tmpdir(), 'selfsame-bench-'));
const site = await buildSite(path.join(folder, 'site'));
const tls = certificate();
const origins = {
  deployed: await serve(site, tls),
  'without scripts': await serve(site, tls, withoutScripts),
};
const port = await freePort('127.0.0.1');
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: [...browserArguments, `--remote-debugging-port=${port}`, '--ignore-certificate-errors'],
});
const measured: Run[] = [];
try {
  for (let round = 1; round <= runs; round += 1) {
    for (const page of pages) {
      for (const mode of modes) {
        for (const variant of variants) measured.push(await measure(page, mode, variant));
      }
    }
    console.error(`Round ${round} of ${runs}.`);
  }
} finally {
  await browser.close();
  for (const { close } of Object.values(origins)) await close();
  await rm(folder, { recursive: true, force: true });
}
console.log(table());

async function measure(page: string, mode: Run['mode'], variant: Run['variant']): Promise<Run> {
  const result = await lighthouse(
    origins[variant].origin + page,
    { port, logLevel: 'silent' },
    {
      extends: 'lighthouse:default',
      settings: { formFactor: 'mobile', throttlingMethod: mode, onlyCategories: [...categories] },
    },
  );
  if (!result) throw new Error(`Lighthouse returned no result for ${page}.`);
  const { audits, categories: results, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(runtimeError.message);
  const value = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN;
  const { details } = audits['network-requests'] ?? {};
  const requests = (details?.type === 'table' ? details.items : []) as NetworkRequest[];
  const bytes = (type: string) =>
    requests
      .filter(({ resourceType }) => resourceType === type)
      .reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
  return {
    page,
    mode,
    variant,
    lcp: value('largest-contentful-paint'),
    fcp: value('first-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    scores: categories.map((category) => Math.round((results[category]?.score ?? 0) * 100)),
    html: bytes('Document'),
    script: bytes('Script'),
    requests: requests.length,
  };
}

function table(): string {
  const rows = pages.flatMap((page) =>
    modes.flatMap((mode) =>
      variants.map((variant) => {
        const matching = measured.filter(
          (run) => run.page === page && run.mode === mode && run.variant === variant,
        );
        const of = (figure: (run: Run) => number) => median(matching.map(figure));
        return [
          page,
          mode,
          variant,
          of(({ lcp }) => lcp).toFixed(0),
          of(({ fcp }) => fcp).toFixed(0),
          of(({ tbt }) => tbt).toFixed(0),
          of(({ cls }) => cls).toFixed(3),
          categories.map((_, index) => of(({ scores }) => scores[index] ?? 0)).join(' '),
          of(({ html }) => html).toFixed(0),
          of(({ script }) => script).toFixed(0),
          of(({ requests }) => requests).toFixed(0),
        ];
      }),
    ),
  );
  const head = ['page', 'throttling', 'variant', 'LCP ms', 'FCP ms', 'TBT ms', 'CLS'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const columns = [...head, 'perf a11y best seo', 'HTML bytes', 'script bytes', 'requests'];
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map(line),
    '',
    `Lighthouse as a phone, median of ${runs} alternating runs; HTTP/2 over TLS on this machine, brotli 11.`,
    'Bytes as transferred, including headers.',
  ].join('\n');
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
