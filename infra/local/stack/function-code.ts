import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BuildContext, BuildFailure, BuildOptions, OutputFile } from 'esbuild';
import { StartFailure } from '../base/start-failure.ts';
import type { UnbundledFunctions } from './synthesis.ts';

/**
 * Bundles the functions into a folder for each, all by one esbuild context, so that the next build reads only
 * what has changed. Code that functions share is in `chunks`; deployed, each function has its own copy. The
 * code isn't minified, so that stack traces can be read.
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
   * Resolves with the functions whose code is another than before, by their keys in `entries`. Code that has
   * become shared, or is no longer, changes all functions that have it. If there is an
   * error in the sources, nothing is written, and it rejects with a `StartFailure` that says where.
   */
  async build(unbundled: UnbundledFunctions): Promise<string[]> {
    const context = await this.#contextFor(unbundled);
    const { outputFiles } = await context.rebuild().catch((error: BuildFailure) => {
      throw new StartFailure(`The functions could not be bundled: ${messageOf(error)}`);
    });
    const changed = outputFiles.filter(({ path: file, hash }) => this.#written.get(file) !== hash);
    // Entries last: they import the chunks. A file is replaced as a whole, since a function may start now.
    for (const file of [...changed.filter((one) => !isEntry(one)), ...changed.filter(isEntry)]) {
      mkdirSync(path.dirname(file.path), { recursive: true });
      writeFileSync(`${file.path}.part`, file.contents);
      renameSync(`${file.path}.part`, file.path);
      this.#written.set(file.path, file.hash);
    }
    const isChanged = new Set(changed.map(({ path: file }) => file));
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
      write: false,
    });
    this.#unbundled = next;
    return this.#context;
  }
}

const isEntry = ({ path: file }: OutputFile) => path.basename(file) === 'index.mjs';

/** One line for each error, with its place, as editors and terminals link it. */
function messageOf({ errors, message }: BuildFailure): string {
  const lines = (errors ?? []).map(({ text, location }) =>
    location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text,
  );
  return lines.length > 0 ? lines.join('\n') : message;
}
