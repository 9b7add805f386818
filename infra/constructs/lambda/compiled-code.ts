import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

/** Where Lambda unpacks a function. */
const LAMBDA_FOLDER = '/var/task';

/**
 * Lambda's runtime starts Node with this flag, and V8 takes compiled code only with the flags that it was
 * made with. The runtime's other flags, sizes of the heap and of HTTP headers, don't count.
 */
export const FLAGS = ['--expose-gc'];

// With random hashes of strings, each deployment would upload unchanged functions anew. Doesn't count either.
const SAME_EACH_TIME = '--random-seed=1';

/** A program that compiles, and what it says of itself. */
export interface LambdaNode {
  path: string;
  /** `v24.21.0`. */
  version: string;
}

/**
 * The Node that compiles bundles for Lambda: `LAMBDA_NODE`, or this process's on Linux and arm64. Undefined
 * elsewhere: bundles are then deployed without compiled code. Throws if `LAMBDA_NODE` is another Node than
 * that of functions.
 */
export function lambdaNode(environment: NodeJS.ProcessEnv = process.env): LambdaNode | undefined {
  const named = environment['LAMBDA_NODE'];
  const isLambdas = process.platform === 'linux' && process.arch === 'arm64';
  if (!named && !isLambdas) return undefined;
  const file = named || process.execPath;
  const says = 'console.log(process.version, process.platform, process.arch)';
  const [version = '', ...system] = execFileSync(file, ['-e', says], { encoding: 'utf8' }).trim().split(' ');
  if (!version.startsWith('v24.') || system.join(' ') !== 'linux arm64') {
    if (!named) return undefined;
    throw new Error(
      `LAMBDA_NODE is Node ${version} for ${system.join(' ')}. Functions run on Node 24 for linux arm64: name that, or leave LAMBDA_NODE out to deploy without compiled code.`,
    );
  }
  return { path: file, version };
}

/**
 * Compiles a bundle's modules, and puts a module before its handler that has Node use what was compiled
 * (`functions/runtime/start-compiled.ts`). `options`: esbuild's, as for the bundle. `at`: the folder in which
 * the bundle will run. @default Lambda's
 */
export function addCompiledCode(
  folder: string,
  { node, options, at = LAMBDA_FOLDER }: { node: string; options: BuildOptions; at?: string },
): void {
  renameSync(path.join(folder, 'index.mjs'), path.join(folder, 'handler.mjs'));
  const compile = path.join(import.meta.dirname, 'compile-modules.ts');
  execFileSync(node, [...FLAGS, SAME_EACH_TIME, compile, folder, at], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const start = path.resolve(import.meta.dirname, '../../../functions/runtime/start-compiled.ts');
  buildSync({ ...options, splitting: false, entryPoints: { index: start }, outdir: folder });
}
