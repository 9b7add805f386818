import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { sentenceOf, StartFailure } from '../base/start-failure.ts';
import { Intrinsics } from './intrinsics.ts';
import type { ResourceType } from './resource-type.ts';
import { TemplateDocument } from './template-document.ts';

/** Paths of a synthesis's output: `<Stack>.template.json` and `<Stack>.assets.json`. */
export interface Synthesized {
  template: string;
  assets: string;
}

export interface Resource {
  /** Logical id. */
  id: string;
  type: string;
  /** The value of `Ref`. */
  ref: string;
  attribute(name: string): string;
  /** The properties, with every intrinsic resolved and every address replaced with a local address. */
  properties: Record<string, unknown>;
}

export type Stack = Pick<Template, 'name' | 'metadata' | 'of' | 'asset' | 'withLocalAddresses'>;

const AssetsDocument = z.object({
  files: z._default(
    z.record(
      z.string(),
      z.object({
        source: z.object({ path: z.string() }),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    ),
    {},
  ),
});

/** A CloudFormation template, with names and intrinsics resolved as in AWS. */
export class Template {
  /** CloudFormation's name of the stack, like `selfsame-staging`. */
  readonly name: string;
  readonly #document: TemplateDocument;
  readonly #intrinsics: Intrinsics;
  readonly #assets: ReadonlyMap<string, string>;

  /** `types`: all known resource types; any other is refused. `assets`: paths by object key. */
  constructor({
    document,
    types,
    stackName,
    assets = new Map(),
  }: {
    document: unknown;
    types: Record<string, ResourceType>;
    stackName: string;
    assets?: ReadonlyMap<string, string>;
  }) {
    const parsed = TemplateDocument.safeParse(document);
    if (!parsed.success) {
      throw new StartFailure(`The template of ${stackName} is not a CloudFormation template with resources.`);
    }
    this.#document = parsed.data;
    this.#intrinsics = new Intrinsics(parsed.data, types, stackName);
    this.name = stackName;
    this.#assets = assets;
    for (const [id, { Type, Condition }] of Object.entries(this.#document.Resources)) {
      if (Condition !== undefined) {
        throw new StartFailure(`The local world can't resolve conditions, and ${id} has ${Condition}.`);
      }
      if (!Object.hasOwn(types, Type)) {
        throw new StartFailure(
          `The local world doesn't know the resource type ${Type} (${id}): add a service for it in infra/local/aws, or add it to infra/local/aws/not-emulated.ts.`,
        );
      }
    }
  }

  /** The template's own `Metadata`. */
  get metadata(): Record<string, unknown> {
    return this.#document.Metadata;
  }

  static read(paths: Synthesized, types: Record<string, ResourceType>): Template {
    const folder = path.dirname(paths.assets);
    const { files } = AssetsDocument.parse(readJson(paths.assets));
    const assets = Object.values(files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(
        ({ objectKey }) => [objectKey, path.join(folder, source.path)] as const,
      ),
    );
    return new Template({
      document: readJson(paths.template),
      types,
      stackName: path.basename(paths.template, '.template.json'),
      assets: new Map(assets),
    });
  }

  of(type: string): Resource[] {
    return Object.entries(this.#document.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id, { Properties }]) => ({
        id,
        type,
        ref: this.#intrinsics.ref(id, id),
        attribute: (name) => this.#intrinsics.attribute(id, name, id),
        properties: this.#intrinsics.resolve(Properties, id) as Record<string, unknown>,
      }));
  }

  refOf(id: string): string {
    return this.#intrinsics.ref(id, id);
  }

  /** Path of a file or folder that `cdk deploy` would upload under this key of the assets bucket. */
  asset(objectKey: string): string {
    const found = this.#assets.get(objectKey);
    if (!found) throw new StartFailure(`The synthesized stack has no asset ${objectKey}.`);
    return found;
  }

  /** `text`, which `readdressed` gives local addresses in place of AWS's. */
  withLocalAddresses(text: string): string {
    return text;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartFailure(`${file} could not be read: ${sentenceOf(error)}`);
  }
}
