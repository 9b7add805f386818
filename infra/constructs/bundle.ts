import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { checkColdStart } from './cold-start-budget.ts';

/**
 * Folders of the handlers that this process has bundled. All stages share them. Changed source needs a new
 * process.
 */
const bundled = new Map<string, string>();

/**
 * Bundles a handler into a folder for upload, and returns the folder. ES modules with splitting keep lazy
 * imports out of the cold start. `module` comes before `main`, because only the AWS SDK's module builds can
 * be tree-shaken. Together they halve the cold start of a function that uses DynamoDB
 * (.github/decisions/0016-bundles.md).
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
  const { metafile } = buildSync({
    entryPoints: { index: entry },
    outdir: into,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    splitting: true,
    minify: true,
    // For readable stack traces.
    keepNames: true,
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    // A seventh of the cold start of a function that uses DynamoDB.
    alias: { '@aws-sdk/credential-provider-node': path.join(import.meta.dirname, 'lambda-credentials.ts') },
    logLevel: 'error',
    metafile: true,
    // CommonJS dependencies load Node's modules with `require`, which ES modules don't have.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  checkColdStart(nameOf(entry), metafile);
  bundled.set(entry, into);
  return into;
}

/** A handler's folder and file, without the ending: `api/plan`. */
const nameOf = (entry: string): string =>
  path.join(path.basename(path.dirname(entry)), path.basename(entry, '.ts'));
