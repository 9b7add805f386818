import { rmSync } from 'node:fs';
import path from 'node:path';
import { sentenceOf } from '../base/start-failure.ts';
import { FunctionCode } from './function-code.ts';
import type { ResourceType } from './resource-type.ts';
import { type StackWatch, watchStack } from './reload.ts';
import { SynthesisCache } from './synthesis-cache.ts';
import { type Synthesis, type SynthesisOptions, synthesizeStaging } from './synthesis.ts';
import { Template } from './template.ts';

/** Receives the changes for the running services. */
export interface Target {
  deploy(template: Template): Promise<void>;
  /** Runs the functions in these folders with their current code. */
  reloadFunctions(folders: ReadonlySet<string>): void;
}

interface SourceStackOptions {
  root: string;
  /** The folder for all written files. */
  dataDir: string;
  /** The folder to deploy as the site. */
  site: string;
  /** All known resource types. */
  types: Record<string, ResourceType>;
  say: (line: string) => void;
  /** Called for each file whose changes won't be noticed. */
  unwatched: (message: string) => void;
  synthesize?: typeof synthesizeStaging;
}

/** The stack of a checkout: synthesized, with its functions bundled, and updated as its sources change. */
export class SourceStack {
  readonly #given: SourceStackOptions;
  readonly #options: SynthesisOptions & { functions: string };
  readonly #cache: SynthesisCache;
  readonly #code: FunctionCode;
  #synthesis: Synthesis | undefined;
  /** Whether the newest stack has failed. Its synthesis may have read more modules than are known. */
  #hasFailed = false;

  constructor(given: SourceStackOptions) {
    const { root, dataDir, site } = given;
    this.#given = given;
    this.#options = {
      outdir: path.join(dataDir, 'cdk.out'),
      site,
      functions: path.join(dataDir, 'functions'),
      providers: process.env['SELFSAME_PROVIDERS'],
    };
    this.#cache = new SynthesisCache(path.join(dataDir, 'synthesis.json'), {
      packages: ['package.json', 'package-lock.json'].map((file) => path.join(root, file)),
      options: this.#options,
    });
    this.#code = new FunctionCode({ root, folder: this.#options.functions });
  }

  /** The stack from the current sources. */
  async load(): Promise<Template> {
    let synthesis = this.#cache.get();
    if (!synthesis) {
      this.#given.say('Synthesizing the stack …');
      // The output of other sources is useless.
      rmSync(this.#options.outdir, { recursive: true, force: true });
      synthesis = await this.#synthesize();
    }
    this.#synthesis = synthesis;
    await this.#build(synthesis);
    return Template.read(synthesis, this.#given.types);
  }

  /** Passes changes of the sources on to `target` until closed. Announces each change and each failure. */
  follow(target: Target): StackWatch {
    return watchStack(this.#given.root, {
      changed: async (files) => {
        try {
          await this.#take(files, target);
        } catch (error) {
          this.#given.say(`${sentenceOf(error)}\nThe running stack is unchanged.`);
        }
      },
      failed: this.#given.unwatched,
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
      this.#given.say(`${changed}: synthesizing the stack …`);
      this.#hasFailed = true;
      const next = this.#cache.get() ?? (await this.#synthesize());
      this.#synthesis = next;
      const functions = await this.#build(next);
      try {
        await target.deploy(Template.read(next, this.#given.types));
      } finally {
        target.reloadFunctions(new Set(functions.map((name) => this.#folderOf(name))));
      }
      this.#hasFailed = false;
      this.#given.say(`The stack: ${after()}.`);
    } else if (this.#synthesis) {
      this.#given.say(`${changed}: rebuilding …`);
      const functions = await this.#build(this.#synthesis);
      target.reloadFunctions(new Set(functions.map((name) => this.#folderOf(name))));
      this.#given.say(functions.length === 0 ? 'No function uses it.' : `${listOf(functions)}: ${after()}.`);
    }
  }

  async #synthesize(): Promise<Synthesis> {
    this.#cache.clear();
    const began = Date.now();
    const { synthesize = synthesizeStaging } = this.#given;
    const synthesis = await synthesize(this.#options);
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
    const names = [...files].map((file) => path.relative(this.#given.root, file)).toSorted();
    return `${listOf(names)} ${names.length === 1 ? 'has' : 'have'}`;
  }
}

/** `a, b and c`, or `a, b and 5 more`. */
function listOf(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
