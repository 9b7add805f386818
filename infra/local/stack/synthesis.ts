import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { StartFailure } from '../base/start-failure.ts';
import type { Synthesised } from './template.ts';

/** The last line of the child's output. */
export type SynthesisOutcome = { kind: 'done'; paths: Synthesised } | { kind: 'failed'; message: string };

/**
 * Synthesises the staging stack into `outdir`, in a new process: only that reads changed modules again.
 * `site`: the folder to deploy as the site.
 */
export async function synthesiseStaging(options: { outdir: string; site: string }): Promise<Synthesised> {
  const script = fileURLToPath(new URL('synthesis-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, options.outdir, options.site], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => void child.kill();
  process.once('exit', end);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  process.off('exit', end);
  const outcome = outcomeIn(output);
  if (outcome?.kind === 'done') return outcome.paths;
  const reason = outcome?.message ?? errors.trim().split('\n').slice(-5).join('\n');
  throw new StartFailure(`The stack could not be synthesised: ${reason}`);
}

function outcomeIn(output: string): SynthesisOutcome | undefined {
  try {
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as SynthesisOutcome;
  } catch {
    return undefined;
  }
}
