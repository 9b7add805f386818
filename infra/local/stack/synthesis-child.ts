/** Synthesizes the staging stack for `SynthesisOptions` as JSON, and prints a `SynthesisOutcome`. */
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepCompiledCode } from '../base/compile-cache.ts';
import { placedFailure } from './source-place.ts';
import type { SynthesisOptions, SynthesisOutcome } from './synthesis.ts';

const options = JSON.parse(process.argv[2] ?? '') as SynthesisOptions;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const modules = new Set([import.meta.filename]);

keepCompiledCode();
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    // Packages are tracked by the lockfile.
    if (resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/')) {
      modules.add(fileURLToPath(resolved.url));
    }
    return resolved;
  },
});

async function synthesized(): Promise<SynthesisOutcome> {
  try {
    // oxlint-disable-next-line no-restricted-imports -- the way to the template
    const { synthesize } = await import('../../app.ts');
    const { template, assets, unbundled } = synthesize({ stage: 'staging', ...options });
    return { kind: 'done', synthesis: { template, assets, unbundled, modules: [...modules] } };
  } catch (error) {
    const message = await placedFailure(error, { root, entry: path.join(root, 'infra/app.ts') });
    return { kind: 'failed', message };
  }
}

// Begins with a line break, since CDK may have written part of a line.
console.log(`\n${JSON.stringify(await synthesized())}`);
