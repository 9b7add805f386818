import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, buildSync, type Metafile, version } from 'esbuild';
import { BundleCache } from './bundle-cache.ts';
import { checkColdStart } from './cold-start-budget.ts';

/** esbuild's options for every handler, in every build. */
export const bundleOptions = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  splitting: true,
  // Keeps stack traces readable.
  keepNames: true,
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  // Saves a seventh of the cold start of a function that uses DynamoDB.
  alias: { '@aws-sdk/credential-provider-node': path.join(import.meta.dirname, 'lambda-credentials.ts') },
  // CommonJS dependencies load Node's modules with `require`, which ES modules don't have.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
} as const satisfies BuildOptions;

/** esbuild's options for every upload. */
export const uploadOptions = {
  ...bundleOptions,
  minify: true,
  logLevel: 'error',
  metafile: true,
} as const satisfies BuildOptions;

const root = path.resolve(import.meta.dirname, '../../..');
const cache = new BundleCache(path.join(root, 'node_modules/.cache/bundles'), {
  settings: [uploadOptions, version],
  packages: ['package.json', 'package-lock.json', 'tsconfig.json'].map((file) => path.join(root, file)),
});
const functions = path.join(root, 'functions');

/**
 * Folders of the handlers that this process has bundled, shared by all stages. Changed source needs a new
 * process.
 */
const bundled = new Map<string, string>();

/**
 * Bundles a handler into a folder for upload, and returns the folder. ES modules with splitting keep lazy
 * imports out of the cold start. `module` comes before `main`, because only the AWS SDK's module builds can
 * be tree-shaken. Together, splitting and tree-shaking halve the cold start of a function that uses DynamoDB.
 */
export function bundle(entry: string, into: string): string {
  requireHandler(entry);
  const before = bundled.get(entry);
  if (before === into) return into;
  rmSync(into, { recursive: true, force: true });
  if (before) {
    cpSync(before, into, { recursive: true });
    return into;
  }
  const kept = isKept(entry) ? cache.copy(nameOf(entry), into) : undefined;
  checkColdStart(nameOf(entry), kept ?? bundleNow(entry, into));
  bundled.set(entry, into);
  return into;
}

function bundleNow(entry: string, into: string): Metafile {
  // Removes the remains of a failed copy.
  rmSync(into, { recursive: true, force: true });
  const began = Date.now();
  const { metafile } = buildSync({ ...uploadOptions, entryPoints: { index: entry }, outdir: into });
  if (isKept(entry)) cache.keep(nameOf(entry), { from: into, metafile, began });
  return metafile;
}

/** The cache knows handlers by their names, which handlers in the folders of tests share. */
const isKept = (entry: string): boolean => path.resolve(entry).startsWith(functions + path.sep);

export function requireHandler(entry: string): void {
  if (existsSync(entry)) return;
  throw new Error(
    `There is no handler file ${path.relative(process.cwd(), entry)}: write it, or take its entry out of schemas/.`,
  );
}

/** A handler's folder and file, without the extension: `api/plan`. */
const nameOf = (entry: string): string =>
  path.join(path.basename(path.dirname(entry)), path.basename(entry, '.ts'));
