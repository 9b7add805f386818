import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BuildContext, BuildFailure, BuildOptions, OutputFile } from 'esbuild';
import { StartFailure } from '../base/start-failure.ts';
import { linesOf } from './source-place.ts';
import type { UnbundledFunctions } from './synthesis.ts';

/**
 * Bundles each function into a folder. One esbuild context bundles all functions, so that the next build only
 * reads changes. Code that functions share is in `chunks`; when deployed, each function has its own copy. The
 * code isn't minified. Source maps next to it lead debuggers and stack traces to the sources.
 */
export class FunctionCode {
  readonly #root: string;
  readonly #folder: string;
  #context: BuildContext<BuildOptions & { write: false }> | undefined;
  #unbundled = '';
  /** Hash of each file in the folder. */
  readonly #written = new Map<string, string>();

  /** `folder` is emptied. Messages name files relative to `root`. */
  constructor({ root, folder }: { root: string; folder: string }) {
    this.#root = root;
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
  }

  /**
   * Resolves with the functions whose code has changed, by their keys in `entries`. Code that becomes shared,
   * or stops being shared, changes all functions that use it. An error in the sources rejects with a
   * `StartFailure` that names its place, and nothing is written.
   */
  async build(unbundled: UnbundledFunctions): Promise<string[]> {
    const context = await this.#contextFor(unbundled);
    const { outputFiles } = await context.rebuild().catch((error: BuildFailure) => {
      throw new StartFailure(`The functions could not be bundled: ${linesOf(error)}`);
    });
    const changed = outputFiles.filter(({ path: file, hash }) => this.#written.get(file) !== hash);
    // Entries come last, since they import the chunks. A file is replaced as a whole, since a function may
    // start now.
    for (const file of [...changed.filter((one) => !isEntry(one)), ...changed.filter(isEntry)]) {
      mkdirSync(path.dirname(file.path), { recursive: true });
      writeFileSync(`${file.path}.part`, file.contents);
      renameSync(`${file.path}.part`, file.path);
      this.#written.set(file.path, file.hash);
    }
    // Unchanged code needs its new source map, too.
    const isChanged = new Set(changed.map(({ path: file }) => file.replace(/\.map$/, '')));
    return Object.keys(unbundled.entries).filter((entry) =>
      isChanged.has(path.join(this.#folder, entry, 'index.mjs')),
    );
  }

  async close(): Promise<void> {
    await this.#context?.dispose();
  }

  async #contextFor(unbundled: UnbundledFunctions) {
    const next = JSON.stringify(unbundled);
    if (this.#context && this.#unbundled === next) return this.#context;
    await this.#context?.dispose();
    const { context } = await import('esbuild');
    this.#context = await context({
      ...unbundled.options,
      entryPoints: Object.fromEntries(
        Object.entries(unbundled.entries).map(([entry, file]) => [`${entry}/index`, file]),
      ),
      outdir: this.#folder,
      chunkNames: 'chunks/[name]-[hash]',
      absWorkingDir: this.#root,
      logLevel: 'silent',
      sourcemap: 'linked',
      sourcesContent: false,
      write: false,
    });
    this.#unbundled = next;
    return this.#context;
  }
}

const isEntry = ({ path: file }: OutputFile) => path.basename(file) === 'index.mjs';
