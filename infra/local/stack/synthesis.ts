import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { endWithThisProcess } from '../base/end-with-this-process.ts';
import { StartFailure } from '../base/start-failure.ts';

export interface SynthesisOptions {
  /** Folder for the template and the assets. */
  outdir: string;
  /** Folder of the site to deploy. */
  site: string;
  /** Folder that the caller bundles the functions into. @default they are bundled as for a deployment */
  functions?: string | undefined;
  /** Keys of identity providers, separated by commas. @default those that stages offer */
  providers?: string | undefined;
}

/** The functions that the caller has to bundle. */
export type UnbundledFunctions = z.infer<typeof UnbundledFunctions>;
const UnbundledFunctions = z.object({
  /** Files of the handlers, by the folder for their code below `functions`. */
  entries: z.record(z.string(), z.string()),
  /** esbuild's options. */
  options: z.record(z.string(), z.unknown()),
});

/** The output of a synthesis, and its inputs. */
export type Synthesis = z.infer<typeof Synthesis>;
export const Synthesis = z.object({
  template: z.string(),
  assets: z.string(),
  unbundled: z.optional(UnbundledFunctions),
  /** Paths of the loaded modules, without those of packages. */
  modules: z.array(z.string()),
});

/** The last line of the child's output. */
export type SynthesisOutcome = z.infer<typeof SynthesisOutcome>;
const SynthesisOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), synthesis: Synthesis }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);

/** Synthesizes the staging stack in a new process, since only a new process reads changed modules again. */
export async function synthesizeStaging(options: SynthesisOptions): Promise<Synthesis> {
  const script = fileURLToPath(new URL('synthesis-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
  });
  const end = () => void child.kill();
  process.once('exit', end);
  const unwatch = child.pid === undefined ? () => {} : endWithThisProcess(child.pid);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  process.off('exit', end);
  unwatch();
  const outcome = outcomeIn(output);
  if (outcome?.kind === 'done') return outcome.synthesis;
  const reason = outcome?.message ?? errors.trim().split('\n').slice(-5).join('\n');
  throw new StartFailure(`The stack could not be synthesized: ${reason}`);
}

/**
 * This process's variables without CDK's, which would change the synthesis. CDK's own check of the template,
 * which takes seven seconds of CPU, runs when the stack is deployed and in tests/infra.
 */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('CDK_'));
  return { ...Object.fromEntries(kept), CDK_VALIDATION: 'false' };
}

function outcomeIn(output: string): SynthesisOutcome | undefined {
  try {
    return SynthesisOutcome.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
  } catch {
    return undefined;
  }
}
