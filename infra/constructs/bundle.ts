import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';

/** Where this process has bundled a handler. Each stage has the same ones, and source that changes is read by a new process. */
const bundled = new Map<string, string>();

/**
 * Bundles a handler into a folder that can be uploaded as it is, and returns the folder. ES modules, split, so that what
 * is imported only when used costs a cold start nothing; `module` before `main`, because the AWS SDK's module
 * builds are what can be shaken. Both were measured to halve the start of a function that talks to DynamoDB.
 */
export function bundle(entry: string, into: string): string {
  if (!existsSync(entry)) {
    throw new Error(
      `There is no handler file ${path.relative(process.cwd(), entry)}: write it, or take its entry out of schemas/.`,
    );
  }
  const before = bundled.get(entry);
  if (before === into) return into;
  rmSync(into, { recursive: true, force: true });
  if (before) {
    cpSync(before, into, { recursive: true });
    return into;
  }
  buildSync({
    entryPoints: { index: entry },
    outdir: into,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    splitting: true,
    minify: true,
    // Names in stack traces are worth their few bytes.
    keepNames: true,
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    // CommonJS among the dependencies asks for Node's own modules with `require`, which a module doesn't have.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  bundled.set(entry, into);
  return into;
}
