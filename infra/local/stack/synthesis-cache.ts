import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { addFile, filesBelow } from '../base/file-hash.ts';
import { Synthesis, type SynthesisOptions } from './synthesis.ts';

// Milliseconds. A file's modification time has the resolution of the system's clock ticks: ten milliseconds
// or less on Linux.
const TICK = 10;

const Kept = z.object({ synthesis: Synthesis, inputs: z.string(), outputs: z.string() });

/** The newest synthesis of a folder, valid as long as the files that it read or wrote haven't changed. */
export class SynthesisCache {
  readonly #file: string;
  readonly #packages: readonly string[];
  readonly #options: SynthesisOptions;

  /** `file`: the record's file. `packages`: files that change with the installed packages. */
  constructor(
    file: string,
    { packages, options }: { packages: readonly string[]; options: SynthesisOptions },
  ) {
    this.#file = file;
    this.#packages = packages;
    this.#options = options;
  }

  /** Undefined if the stack has to be synthesized. */
  get(): Synthesis | undefined {
    try {
      const { synthesis, inputs, outputs } = Kept.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
      return inputs === this.#inputs(synthesis) && outputs === this.#outputs(synthesis)
        ? synthesis
        : undefined;
    } catch {
      // There is no record, or a file in it is gone.
      return undefined;
    }
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }

  /** `began`: Unix milliseconds. A file that changed since then may have been read before the change. */
  keep(synthesis: Synthesis, began: number): void {
    const isNewer = (file: string) =>
      (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) >= began - TICK;
    const read = [...synthesis.modules, ...this.#packages, ...filesBelow(this.#options.site)];
    if (read.some(isNewer)) return;
    const kept = { synthesis, inputs: this.#inputs(synthesis), outputs: this.#outputs(synthesis) };
    writeFileSync(this.#file, JSON.stringify(kept));
  }

  #inputs(synthesis: Synthesis): string {
    const hash = createHash('sha256').update(JSON.stringify([process.version, this.#options]));
    // Synthesis only checks that a handler's file exists.
    for (const file of Object.values(synthesis.unbundled?.entries ?? {})) statSync(file);
    for (const file of [...synthesis.modules, ...this.#packages]) addFile(hash, file);
    for (const file of filesBelow(this.#options.site)) addFile(hash, file);
    return hash.digest('base64');
  }

  #outputs({ template, assets }: Synthesis): string {
    const hash = createHash('sha256');
    for (const file of [template, assets, ...filesBelow(this.#options.outdir)]) addFile(hash, file);
    return hash.digest('base64');
  }
}
