import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Script } from 'node:vm';
import { compiledFolder, sample } from '../../schemas/config/compiled-code.ts';
import { log } from './log.ts';
import { metric } from './metric.ts';

/*
 * The first module of a bundle with compiled code. Node reads and writes compiled code in a folder that it
 * names after its version, its flags and its user. This module replaces that folder with a link to the
 * bundle's, which was filled for this place. V8 checks each file once more and compiles what doesn't fit.
 */
const compiled = path.join(import.meta.dirname, compiledFolder);
const reason = reasonAgainst();
if (reason !== undefined) {
  log.info('compiled-code-unused', { reason });
  metric('UncompiledStarts');
}

// Built after the bundle, whose entry point this is.
const module = './handler.mjs';
export const { handler } = (await import(module)) as { handler: unknown };

/** Has Node use the compiled code. Returns the reason if it can't. */
function reasonAgainst(): string | undefined {
  try {
    const file = path.join(compiled, sample.name);
    if (!existsSync(file)) return 'The bundle has no compiled code.';
    const { cachedDataRejected } = new Script(sample.source, { cachedData: readFileSync(file) });
    if (cachedDataRejected) return `Compiled for another Node than ${process.version}, or other flags.`;
    const folder = path.join(tmpdir(), 'compiled-code');
    // An earlier start in this sandbox has left its link.
    rmSync(folder, { recursive: true, force: true });
    const { message } = enableCompileCache(folder);
    const directory = getCompileCacheDir();
    if (directory === undefined) return message ?? 'Node has no folder for compiled code.';
    rmSync(directory, { recursive: true });
    symlinkSync(compiled, directory);
    return undefined;
  } catch (thrown) {
    return String(thrown);
  }
}
