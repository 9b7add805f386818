import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** Lets Node keep the code that it compiles, and TypeScript stripped of types, for the next process. */
export function keepCompiledCode(): void {
  enableCompileCache(folder);
}
