import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** Lets Node keep what it compiles from here on, and TypeScript without its types, for the next process. */
export function keepCompiledCode(): void {
  enableCompileCache(folder);
}
