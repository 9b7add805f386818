import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OutputFile } from 'esbuild';
import type { LogEntry } from '../base/log.ts';

/**
 * Replaces places in bundled functions with places in their sources, as in `at handler
 * (functions/api/plan.ts:12:9)`. The source maps are made for the first place, because they would slow every
 * build down by a third.
 */
export class SourceLines {
  readonly #root: string;
  readonly #place: RegExp;
  readonly #mapped: () => Promise<readonly OutputFile[]>;
  #from: readonly OutputFile[] | undefined;
  #maps = new Map<string, SourceMap>();

  /** `folder`: the bundles' folder. `mapped`: the newest build with source maps. */
  constructor({
    root,
    folder,
    mapped,
  }: {
    root: string;
    folder: string;
    mapped: () => Promise<readonly OutputFile[]>;
  }) {
    this.#root = root;
    const prefix = pathToFileURL(folder + path.sep).href.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    this.#place = new RegExp(`(${prefix}[^\\s():"]+):(\\d+):(\\d+)`, 'g');
    this.#mapped = mapped;
  }

  /**
   * The entry with places in the sources. An entry without places in a bundle is returned at once, unchanged.
   */
  translated(entry: LogEntry): LogEntry | Promise<LogEntry> {
    const text = JSON.stringify(entry.message);
    return text.search(this.#place) === -1 ? entry : this.#translate(entry, text);
  }

  async #translate(entry: LogEntry, text: string): Promise<LogEntry> {
    try {
      await this.#load();
      const message = text.replaceAll(this.#place, (place, url: string, line: string, column: string) =>
        JSON.stringify(this.#sourceOf(fileURLToPath(url), Number(line), Number(column)) ?? place).slice(
          1,
          -1,
        ),
      );
      return { ...entry, message: JSON.parse(message) as LogEntry['message'] };
    } catch {
      // The sources can't be bundled at the moment, or the bundle is gone.
      return entry;
    }
  }

  async #load(): Promise<void> {
    const files = await this.#mapped();
    if (files === this.#from) return;
    this.#from = files;
    const maps = new Map(files.map((file) => [file.path, file]));
    this.#maps = new Map();
    for (const file of files) {
      const map = maps.get(`${file.path}.map`);
      if (map) this.#maps.set(contentOf(file.text), new SourceMap(JSON.parse(map.text) as SourceMapPayload));
    }
  }

  #sourceOf(file: string, line: number, column: number): string | undefined {
    // The lookup by content fails for a bundle from other sources than the maps.
    const origin = this.#maps.get(contentOf(readFileSync(file, 'utf8')))?.findOrigin(line, column);
    if (!origin || !('fileName' in origin)) return undefined;
    const source = path.relative(this.#root, path.resolve(path.dirname(file), origin.fileName));
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  }
}

/** A hash of a bundle's text without the names of chunks, which change with source maps. */
const contentOf = (text: string): string =>
  createHash('sha256')
    .update(text.replaceAll(/-[0-9A-Z]{8}\.mjs/g, '.mjs').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'))
    .digest('base64');
