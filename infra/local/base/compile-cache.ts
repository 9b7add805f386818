import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Where Node keeps what it compiles. */
export const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** Lets Node keep the code that it compiles, and TypeScript stripped of types, for the next process. */
export function keepCompiledCode(): void {
  enableCompileCache(compileCache);
}
