/**
 * Synthesises the staging stack in a process of its own, and prints a `SynthesisOutcome`. Its parameter is
 * `SynthesisOptions` as JSON.
 */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { keepCompiledCode } from '../base/compile-cache.ts';
import { sentenceOf } from '../base/start-failure.ts';
import type { SynthesisOptions, SynthesisOutcome } from './synthesis.ts';

const { outdir, site, functions } = JSON.parse(process.argv[2] ?? '') as SynthesisOptions;
const modules = new Set([import.meta.filename]);

keepCompiledCode();
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    // Packages are known by the lockfile.
    if (resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/')) {
      modules.add(fileURLToPath(resolved.url));
    }
    return resolved;
  },
});

async function synthesised(): Promise<SynthesisOutcome> {
  try {
    // oxlint-disable-next-line no-restricted-imports -- the way to the template
    const { synthesise } = await import('../../app.ts');
    const { template, assets, unbundled } = synthesise({ stage: 'staging', outdir, site, functions });
    return { kind: 'done', synthesis: { template, assets, unbundled, modules: [...modules] } };
  } catch (error) {
    return { kind: 'failed', message: sentenceOf(error) };
  }
}

// Begins with a line break, since CDK may have written part of a line.
console.log(`\n${JSON.stringify(await synthesised())}`);
