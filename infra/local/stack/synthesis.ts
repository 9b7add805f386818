import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { StartFailure } from '../base/start-failure.ts';
import type { Synthesised } from './template.ts';

/** Last line of the child's output: what came of it. */
export type SynthesisOutcome = { kind: 'done'; paths: Synthesised } | { kind: 'failed'; message: string };

/**
 * Synthesises the staging stack into `outdir`. In a process of its own, because modules that have changed on disk are only
 * read again by a new one. `site`: folder to deploy as the site.
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
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  process.off('exit', end);
  const outcome = outcomeIn(output);
  if (outcome?.kind === 'done') return outcome.paths;
  const reason = outcome?.message ?? complaint.trim().split('\n').slice(-5).join('\n');
  throw new StartFailure(`The stack could not be synthesised: ${reason}`);
}

function outcomeIn(output: string): SynthesisOutcome | undefined {
  try {
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as SynthesisOutcome;
  } catch {
    return undefined;
  }
}
