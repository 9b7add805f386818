import { rmSync } from 'node:fs';
import path from 'node:path';
import { resourceTypes } from '../aws/services.ts';
import { sentenceOf } from '../base/start-failure.ts';
import { FunctionCode } from './function-code.ts';
import { watchStack } from './reload.ts';
import { SynthesisCache } from './synthesis-cache.ts';
import { type Synthesis, synthesiseStaging } from './synthesis.ts';
import { Template } from './template.ts';

/** How a change reaches the running services. */
export interface Target {
  deploy(template: Template): Promise<void>;
  /** Runs the functions in these folders with the code that they hold now. */
  reloadFunctions(folders: ReadonlySet<string>): void;
}

/** The stack of a checkout: synthesised, its functions bundled, and both again as its sources change. */
export class SourceStack {
  readonly #root: string;
  readonly #options: { outdir: string; site: string; functions: string };
  readonly #cache: SynthesisCache;
  readonly #code: FunctionCode;
  readonly #synthesiseInto: typeof synthesiseStaging;
  readonly #say: (line: string) => void;
  #synthesis: Synthesis | undefined;
  /** Whether the newest stack has failed. Its synthesis may have read more modules than are known. */
  #hasFailed = false;

  /** `site`: the folder to deploy as the site. `dataDir`: holds everything that is written. */
  constructor({
    root,
    dataDir,
    site,
    say,
    synthesise = synthesiseStaging,
  }: {
    root: string;
    dataDir: string;
    site: string;
    say: (line: string) => void;
    synthesise?: typeof synthesiseStaging;
  }) {
    this.#root = root;
    this.#options = {
      outdir: path.join(dataDir, 'cdk.out'),
      site,
      functions: path.join(dataDir, 'functions'),
    };
    this.#cache = new SynthesisCache(path.join(dataDir, 'synthesis.json'), {
      packages: ['package.json', 'package-lock.json'].map((file) => path.join(root, file)),
      options: this.#options,
    });
    this.#code = new FunctionCode({ root, folder: this.#options.functions });
    this.#synthesiseInto = synthesise;
    this.#say = say;
  }

  /** The stack as its sources are now. */
  async load(): Promise<Template> {
    let synthesis = this.#cache.get();
    if (!synthesis) {
      this.#say('Synthesising the stack …');
      // What other sources left there is of no use.
      rmSync(this.#options.outdir, { recursive: true, force: true });
      synthesis = await this.#synthesise();
    }
    this.#synthesis = synthesis;
    await this.#build(synthesis);
    return Template.read(synthesis, resourceTypes);
  }

  /** Brings changes of the sources to `target` until it is closed. Announces each, and each failure. */
  follow(target: Target): { close(): void } {
    return watchStack(this.#root, async (files) => {
      try {
        await this.#take(files, target);
      } catch (error) {
        this.#say(`${sentenceOf(error)}\nThe running stack stays as it was.`);
      }
    });
  }

  async close(): Promise<void> {
    await this.#code.close();
  }

  async #take(files: ReadonlySet<string>, target: Target): Promise<void> {
    const began = performance.now();
    const after = () => `up to date after ${((performance.now() - began) / 1000).toFixed(1)} s`;
    const changed = `${this.#namesOf(files)} changed`;
    if (this.#isStackOf(files)) {
      this.#say(`${changed}: synthesising the stack …`);
      this.#hasFailed = true;
      const next = this.#cache.get() ?? (await this.#synthesise());
      this.#synthesis = next;
      const functions = await this.#build(next);
      try {
        await target.deploy(Template.read(next, resourceTypes));
      } finally {
        target.reloadFunctions(new Set(functions.map((name) => this.#folderOf(name))));
      }
      this.#hasFailed = false;
      this.#say(`The stack: ${after()}.`);
    } else if (this.#synthesis) {
      this.#say(`${changed}: rebuilding …`);
      const functions = await this.#build(this.#synthesis);
      target.reloadFunctions(new Set(functions.map((name) => this.#folderOf(name))));
      this.#say(functions.length === 0 ? 'It is in no function.' : `${listOf(functions)}: ${after()}.`);
    }
  }

  async #synthesise(): Promise<Synthesis> {
    this.#cache.clear();
    const began = Date.now();
    const synthesis = await this.#synthesiseInto(this.#options);
    this.#cache.keep(synthesis, began);
    return synthesis;
  }

  async #build({ unbundled }: Synthesis): Promise<string[]> {
    return unbundled ? this.#code.build(unbundled) : [];
  }

  #isStackOf(files: ReadonlySet<string>): boolean {
    return this.#hasFailed || (this.#synthesis?.modules.some((module) => files.has(module)) ?? false);
  }

  #folderOf(name: string): string {
    return path.join(this.#options.functions, name);
  }

  #namesOf(files: ReadonlySet<string>): string {
    const names = [...files].map((file) => path.relative(this.#root, file)).toSorted();
    return `${listOf(names)} ${names.length === 1 ? 'has' : 'have'}`;
  }
}

/** `a, b and c`, or `a, b and 5 more`. */
function listOf(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
