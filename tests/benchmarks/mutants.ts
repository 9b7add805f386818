/**
 * Mutation testing of the product's decisions:
 * `npm run bench -- mutants [--sample 100] [--seed 1] [--all] [--unit] [--quick] [file or folder …]`.
 * Changes one operator at a time in functions/ (without adapters) and schemas/. A mutant is noticed if a unit
 * test or a simulation fails with it.
 *
 * Without options, a sample of a hundred mutants, always the same. `--all`, or naming files, tries all of
 * them. `--unit` leaves the simulations out, `--quick` the mutants that act while modules load: each of those
 * needs its own process.
 *
 * Mutants that behave like the original are listed with the argument in mutants/equivalent.ts, and don't
 * count.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Campaign } from './mutants/campaign.ts';
import { equivalentMutants } from './mutants/equivalent.ts';
import { instrument, type Mutant } from './mutants/instrument.ts';
import { report } from './report.ts';

const WORKERS = Math.min(2, availableParallelism());
const SAMPLE = 100;

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    unit: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const root = path.resolve(import.meta.dirname, '../..');
const say = (line: string) => process.stderr.write(`${line}\n`);

const sources = tracked('functions', 'schemas').filter(
  (file) =>
    !file.startsWith('functions/adapters/') &&
    (positionals.length === 0 || positionals.some((name) => file === name || file.startsWith(`${name}/`))),
);
const { mutants, codes } = await instrument(root, sources);
for (const known of equivalentMutants) {
  if (sources.includes(known.file) && !mutants.some((mutant) => isSame(known, mutant)))
    say(`mutants/equivalent.ts has an entry that matches nothing: ${known.file}: ${known.mutated}`);
}
const candidates = mutants.filter((mutant) => !equivalentMutants.some((known) => isSame(known, mutant)));
const isAll = values.all || (positionals.length > 0 && values.sample === undefined);
const chosen = isAll ? candidates : sampleOf(candidates, Number(values.sample ?? SAMPLE), values.seed);
say(
  `${mutants.length} mutants, of which ${mutants.length - candidates.length} are equivalent; ${chosen.length} are tried`,
);

const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-mutants-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Exiting also ends the processes that run tests; a signal alone would leave them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const codesFile = path.join(folder, 'codes.json');
writeFileSync(codesFile, JSON.stringify(codes));

const campaign = new Campaign(chosen, { codesFile, say, workers: WORKERS, quick: values.quick });
await campaign.run(
  'unit tests',
  tracked('tests/unit/functions', 'tests/unit/schemas', 'tests/unit/web').filter((file) =>
    file.endsWith('.test.ts'),
  ),
);
if (!values.unit) {
  // From the fastest to the slowest: each is asked only about what the ones before it have missed.
  await campaign.run('known histories', ['tests/simulation/known-histories.test.ts']);
  await campaign.run('random histories', ['tests/benchmarks/mutants/histories.ts']);
  await campaign.run('crash matrix', ['tests/simulation/crash-matrix.test.ts']);
}
for (const { file, line, original, mutated } of campaign.survivors) {
  console.log(`\n${file}:${line}\n- ${original}\n+ ${mutated}`);
}
report([
  { what: 'Mutants tried', value: campaign.tried, unit: 'mutants' },
  { what: 'Survivors', value: campaign.survivors.length, unit: 'mutants' },
  {
    what: `Noticed by unit tests${values.unit ? '' : ' and simulations'}`,
    value: 100 * (1 - campaign.survivors.length / campaign.tried),
    unit: '%',
    goal: { least: 95 },
  },
]);

function tracked(...folders: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((file) => file.endsWith('.ts'));
}

function isSame(known: Pick<Mutant, 'file' | 'original' | 'mutated'>, mutant: Mutant): boolean {
  return known.file === mutant.file && known.original === mutant.original && known.mutated === mutant.mutated;
}

/** Drawn by a hash of seed and mutant, so that most of a sample stays the same when other code changes. */
function sampleOf(all: readonly Mutant[], count: number, seed: string): Mutant[] {
  const key = ({ file, original, mutated }: Mutant) => fnv1a(`${seed} ${file} ${original} ${mutated}`);
  return all.toSorted((a, b) => key(a) - key(b)).slice(0, count);
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
