import { createHash } from 'node:crypto';
import { cpSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import * as z from 'zod/mini';

// Milliseconds. A file's modification time has the resolution of the system's clock ticks: ten milliseconds
// or less on Linux.
const TICK = 10;

const Kept = z.object({
  settings: z.string(),
  /** Hashes of the inputs, by absolute path. */
  inputs: z.record(z.string(), z.string()),
  /** Name of the folder with the bundle. The name never changes. */
  folder: z.string(),
  metafile: z.unknown(),
});

/**
 * The newest bundle of each handler, valid as long as its inputs haven't changed. Several processes may use
 * the cache at once.
 */
export class BundleCache {
  readonly #folder: string;
  readonly #settings: string;
  /** Hashes of files. A process reads each file once. */
  readonly #hashes = new Map<string, string>();

  /**
   * `settings`: other values that bundles depend on. `packages`: files that change with the installed
   * packages. Hashes of inputs can't show that an import now resolves to another file, but these files can.
   */
  constructor(folder: string, { settings, packages }: { settings: unknown; packages: readonly string[] }) {
    this.#folder = folder;
    this.#settings = hashOf(
      JSON.stringify([process.version, settings, packages.map((file) => this.#hash(file))]),
    );
  }

  /**
   * Copies the bundle into a folder and returns esbuild's metafile. Undefined if the handler has to be
   * bundled again.
   */
  copy(name: string, into: string): Metafile | undefined {
    const kept = this.#kept(name);
    if (kept?.settings !== this.#settings) return undefined;
    try {
      if (Object.entries(kept.inputs).some(([file, hash]) => this.#hash(file) !== hash)) return undefined;
      cpSync(path.join(this.#folder, kept.folder), into, { recursive: true });
      return kept.metafile as Metafile;
    } catch {
      // A file in the record is gone.
      return undefined;
    }
  }

  /**
   * Keeps the bundle in a folder. `metafile` names the inputs, from the working directory. `began`: Unix
   * milliseconds before the bundling. A file that changed since may have been read before the change.
   */
  keep(name: string, { from, metafile, began }: { from: string; metafile: Metafile; began: number }): void {
    if (Object.keys(metafile.inputs).some((input) => statSync(input).mtimeMs >= began - TICK)) return;
    const inputs: Record<string, string> = {};
    for (const input of Object.keys(metafile.inputs)) inputs[path.resolve(input)] = this.#hash(input);
    const hash = hashOf(JSON.stringify([this.#settings, inputs]));
    const folder = `${fileNameOf(name)}-${hash.slice(0, 16)}`;
    const written = path.join(this.#folder, `${folder}.${process.pid}`);
    cpSync(from, written, { recursive: true });
    try {
      renameSync(written, path.join(this.#folder, folder));
    } catch {
      // Another process has kept the same bundle.
      rmSync(written, { recursive: true });
    }
    const before = this.#kept(name)?.folder;
    const record = { settings: this.#settings, inputs, folder, metafile };
    writeFileSync(`${written}.json`, JSON.stringify(record));
    renameSync(`${written}.json`, this.#record(name));
    if (before !== undefined && before !== folder) {
      rmSync(path.join(this.#folder, before), { recursive: true, force: true });
    }
  }

  #kept(name: string): z.infer<typeof Kept> | undefined {
    try {
      return Kept.parse(JSON.parse(readFileSync(this.#record(name), 'utf8')));
    } catch {
      return undefined;
    }
  }

  #record(name: string): string {
    return path.join(this.#folder, `${fileNameOf(name)}.json`);
  }

  #hash(file: string): string {
    const absolute = path.resolve(file);
    const known = this.#hashes.get(absolute);
    if (known !== undefined) return known;
    const hash = hashOf(readFileSync(absolute));
    this.#hashes.set(absolute, hash);
    return hash;
  }
}

const fileNameOf = (name: string): string => name.replaceAll('/', '-');

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
