import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Entry, type Plan, PLAN_VARIABLE } from './plan.ts';

// A test's own time-out comes first. This ends loops in which no mutant's code is passed.
const SILENCE = 180_000;
const POLL = 250;

/**
 * Runs test files under a plan in a process, and calls back with each entry as it comes. `codesFile`: JSON of
 * the instrumented code by file.
 */
export async function runTests(
  codesFile: string,
  testFiles: readonly string[],
  plan: Omit<Plan, 'log'>,
  onEntry: (entry: Entry) => void,
): Promise<void> {
  const folder = await mkdtemp(path.join(path.dirname(codesFile), 'run-'));
  const planFile = path.join(folder, 'plan.json');
  const log = path.join(folder, 'log');
  const mutants = new Set(plan.mutants);
  await writeFile(log, '');
  for (;;) {
    await writeFile(planFile, JSON.stringify({ ...plan, mutants: [...mutants], log } satisfies Plan));
    const stuck = await runOnce([codesFile, ...testFiles], planFile, log, (entry) => {
      if (entry.kind === 'noticed') mutants.delete(entry.mutant);
      onEntry(entry);
    });
    if (!stuck) return;
    mutants.delete(stuck.mutant);
    onEntry({ kind: 'noticed', mutant: stuck.mutant, test: `${stuck.test} (time-out)` });
  }
}

/** Resolves with what was running if the process had to be ended. */
async function runOnce(
  parameters: readonly string[],
  planFile: string,
  log: string,
  onEntry: (entry: Entry) => void,
): Promise<Extract<Entry, { kind: 'begun' }> | undefined> {
  let read = readFileSync(log, 'utf8').length;
  let last: Entry | undefined;
  let lastAt = performance.now();
  let isStuck = false;
  const drain = () => {
    const text = readFileSync(log, 'utf8');
    const end = text.lastIndexOf('\n') + 1;
    if (end > read) lastAt = performance.now();
    for (const line of text.slice(read, end).split('\n').filter(Boolean)) {
      last = JSON.parse(line) as Entry;
      onEntry(last);
    }
    read = Math.max(read, end);
  };
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'test-process.ts'), ...parameters],
    // Its own group, since Vitest's workers are processes too.
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      env: { ...process.env, [PLAN_VARIABLE]: planFile },
    },
  );
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  const timer = setInterval(() => {
    drain();
    if (performance.now() - lastAt < SILENCE) return;
    isStuck = true;
    end();
  }, POLL);
  process.once('exit', end);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  process.off('exit', end);
  clearInterval(timer);
  drain();
  if (isStuck && last?.kind === 'begun') return last;
  if (code !== 0) throw new Error(`The tests could not be run (${code}).\n${errors}`);
  return undefined;
}
