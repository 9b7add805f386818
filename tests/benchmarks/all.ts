/**
 * Runs every benchmark and writes tests/benchmarks/results.md:
 * `npm run bench -- [--against folder] [name …]`.
 * Without names, all of them, one after the other, since two would disturb each other. With names, the others
 * keep their tables. `--against` names another checkout of the repository, installed. Benchmarks that can
 * measure it alternate between both.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Measurement, REPORT_FILE, tableOf } from './report.ts';

interface Benchmark {
  name: string;
  title: string;
  comparesCheckouts: boolean;
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'first-start',
    title: 'The first start, with packages in the cache of npm',
    comparesCheckouts: true,
  },
  { name: 'loop', title: 'Start and reload', comparesCheckouts: true },
  { name: 'cold-start', title: 'Cold starts beside bare clients', comparesCheckouts: true },
  { name: 'mutants', title: 'Changed operators that tests notice', comparesCheckouts: false },
  { name: 'throughput', title: 'Throughput, CPU and memory under load', comparesCheckouts: false },
  { name: 'one-user', title: 'Load on one user', comparesCheckouts: false },
  { name: 'growth', title: 'Growth of the sweeps', comparesCheckouts: false },
];
const resultsFile = path.join(import.meta.dirname, 'results.md');

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. There are: ${benchmarks.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}

const folder = await mkdtemp(path.join(tmpdir(), 'selfsame-bench-'));
const chosen = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const sections = sectionsOf(await readFile(resultsFile, 'utf8').catch(() => ''));
let failed = 0;
for (const [index, benchmark] of chosen.entries()) {
  console.log(`\n── ${index + 1} of ${chosen.length}: ${benchmark.title}`);
  const section = await run(benchmark);
  if (section) sections.set(benchmark.title, section);
  else failed += 1;
  // Written after each, so that an interrupted run keeps what it has measured.
  await writeFile(resultsFile, document());
}
await rm(folder, { recursive: true, force: true });
console.log(`\nWritten: ${path.relative(process.cwd(), resultsFile)}`);
if (failed > 0)
  console.error(`${failed} of ${chosen.length} benchmarks failed. Their tables stay as they were.`);
process.exitCode = failed === 0 ? 0 : 1;

/** The lines of a benchmark's section. Undefined if it failed. */
async function run({ name, comparesCheckouts }: Benchmark): Promise<string[] | undefined> {
  const file = path.join(folder, `${name}.json`);
  const against = comparesCheckouts && values.against ? ['--against', path.resolve(values.against)] : [];
  const began = performance.now();
  const code = await new Promise<number>((resolve, reject) => {
    spawn(process.execPath, [path.join(import.meta.dirname, `${name}.ts`), ...against], {
      stdio: 'inherit',
      env: { ...process.env, [REPORT_FILE]: file },
    })
      .on('error', reject)
      .on('close', (exit) => resolve(exit ?? 1));
  });
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (code !== 0 || text === undefined) return undefined;
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  return [
    `\`npm run bench -- ${name}\`, ${minutes} minutes on ${new Date().toISOString().slice(0, 10)}, ${machine()}.`,
    '',
    ...tableOf(JSON.parse(text) as Measurement[]),
  ];
}

function machine(): string {
  const [processor] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.versions.node}, ${cpus().length} cores (${processor?.model.trim()}), ${memory} GiB`;
}

/** The sections of an earlier run, by title. */
function sectionsOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const part of text.split(/^## /m).slice(1)) {
    const [title = '', ...lines] = part.trimEnd().split('\n');
    found.set(title, lines.slice(1));
  }
  return found;
}

/** In the order of the benchmarks. What was measured by another command comes last. */
function document(): string {
  const titles = new Set([...benchmarks.map(({ title }) => title), ...sections.keys()]);
  const ordered = [...titles].flatMap((title) => {
    const lines = sections.get(title);
    return lines ? ['', `## ${title}`, '', ...lines] : [];
  });
  return ['# Results', '', 'Written by `npm run bench`.', ...ordered, ''].join('\n');
}
