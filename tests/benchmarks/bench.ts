/**
 * Runs a benchmark in its own process: `npm run bench -- <name> [options]`. README.md says what each
 * measures. With `--record`, its table also goes into results.md.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { type Measurement, REPORT_FILE, tableOf } from './report.ts';

/** The benchmarks, with the titles of their sections in results.md, in its order. */
const benchmarks: Readonly<Record<string, string>> = {
  loop: 'Start and reload',
  'cold-start': 'Cold starts beside bare clients',
  mutants: 'Changed operators that tests notice',
  site: 'The site beside pages without scripts',
};
const resultsFile = path.join(import.meta.dirname, 'results.md');

const [name = '', ...given] = process.argv.slice(2);
const title = benchmarks[name];
if (title === undefined) {
  console.error(`npm run bench -- <${Object.keys(benchmarks).join(' | ')}> [options]`);
  console.error('tests/benchmarks/README.md says what each measures and takes.');
  process.exit(1);
}
const options = given.filter((option) => option !== '--record');
const folder = await mkdtemp(path.join(tmpdir(), 'selfsame-bench-'));
const began = performance.now();
process.exitCode = await run();
if (process.exitCode === 0 && options.length < given.length) await record(title);
await rm(folder, { recursive: true, force: true });

/** The exit code of the benchmark. Its report is in the folder, if it makes one. */
async function run(): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, `${name}.ts`), ...options], {
      stdio: 'inherit',
      env: { ...process.env, [REPORT_FILE]: path.join(folder, 'report.json') },
    })
      .on('error', reject)
      .on('close', (exit) => resolve(exit ?? 1));
    // The benchmark ends its own processes. A terminal sends Ctrl-C to it too.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill());
  });
}

async function record(section: string): Promise<void> {
  const text = await readFile(path.join(folder, 'report.json'), 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`${name} has no table of the kind that results.md keeps.`);
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  const command = ['npm run bench --', name, ...options].join(' ');
  const sections = sectionsOf(await readFile(resultsFile, 'utf8').catch(() => ''));
  sections.set(section, [
    `\`${command}\`, ${minutes} minutes on ${new Date().toISOString().slice(0, 10)}, ${machine()}.`,
    '',
    ...tableOf(JSON.parse(text) as Measurement[]),
  ]);
  await writeFile(resultsFile, documentOf(sections));
  console.log(`Written: ${path.relative(process.cwd(), resultsFile)}`);
}

function machine(): string {
  const [processor] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.versions.node}, ${cpus().length} cores (${processor?.model.trim()}), ${memory} GiB`;
}

/** The sections of the recorded results, by title. */
function sectionsOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const part of text.split(/^## /m).slice(1)) {
    const [heading = '', ...lines] = part.trimEnd().split('\n');
    found.set(heading, lines.slice(1));
  }
  return found;
}

function documentOf(sections: ReadonlyMap<string, readonly string[]>): string {
  const ordered = Object.values(benchmarks).flatMap((heading) => {
    const lines = sections.get(heading);
    return lines ? ['', `## ${heading}`, '', ...lines] : [];
  });
  return ['# Results', '', 'Written by `npm run bench -- <name> --record`.', ...ordered, ''].join('\n');
}
