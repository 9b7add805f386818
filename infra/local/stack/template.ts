import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { ACCOUNT, REGION, type ResourceType, type Unnamed } from './resource-type.ts';
import { sentenceOf, StartFailure } from '../base/start-failure.ts';

/** Paths of what a synthesis wrote: `<Stack>.template.json` and `<Stack>.assets.json`. */
export interface Synthesised {
  template: string;
  assets: string;
}

/** A resource as a service on this machine sees it. */
export interface Resource {
  /** Logical id. */
  id: string;
  type: string;
  /** What `Ref` gives. */
  ref: string;
  attribute(name: string): string;
  /** Every intrinsic resolved and every address a local one. */
  properties: Record<string, unknown>;
}

/** What the services on this machine stand up. */
export interface Stack {
  /** What CloudFormation calls it, like `selfsame-staging`. */
  name: string;
  of(type: string): Resource[];
  /** Path of a file or folder that `cdk deploy` would upload under this key of the assets bucket. */
  asset(objectKey: string): string;
  /** A text that is deployed with the stack, with every address in it a local one. */
  localised(text: string): string;
}

const TemplateDocument = z.object({
  Parameters: z._default(
    z.record(
      z.string(),
      z.object({ Type: z.string(), Default: z.optional(z.union([z.string(), z.number()])) }),
    ),
    {},
  ),
  Mappings: z._default(z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))), {}),
  Conditions: z._default(z.record(z.string(), z.unknown()), {}),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z._default(z.record(z.string(), z.unknown()), {}),
      Condition: z.optional(z.string()),
    }),
  ),
});
type TemplateDocument = z.infer<typeof TemplateDocument>;

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

// `Ref: AWS::NoValue` takes the property away that it stands in.
const nothing = Symbol('AWS::NoValue');

const pseudoParameters: Record<string, unknown> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Region': REGION,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::NoValue': nothing,
  'AWS::NotificationARNs': [],
};

/** A CloudFormation template with its intrinsics resolved as they would be in AWS, names included. */
export class Template implements Stack {
  readonly name: string;
  readonly #document: TemplateDocument;
  readonly #types: Record<string, ResourceType>;
  readonly #assets: ReadonlyMap<string, string>;

  /** `types`: every resource type there is; a resource of any other is refused. `assets`: paths by object key. */
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
    this.#types = types;
    this.name = stackName;
    this.#assets = assets;
    for (const [id, { Type }] of Object.entries(this.#document.Resources)) {
      if (!Object.hasOwn(types, Type)) {
        throw new StartFailure(
          `The local world doesn't know the resource type ${Type} (${id}): add it to infra/local/stack/resource-types.ts.`,
        );
      }
    }
  }

  static read(paths: Synthesised, types: Record<string, ResourceType>): Template {
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
      .filter(([, resource]) => resource.Type === type && this.#holds(resource.Condition))
      .map(([id, { Properties }]) => ({
        id,
        type,
        ref: this.#ref(id, id),
        attribute: (name) => this.#attribute(id, name, id),
        properties: this.#resolve(Properties, id) as Record<string, unknown>,
      }));
  }

  asset(objectKey: string): string {
    const found = this.#assets.get(objectKey);
    if (!found) throw new StartFailure(`The synthesised stack has no asset ${objectKey}.`);
    return found;
  }

  localised(text: string): string {
    return text;
  }

  #holds(condition: string | undefined): boolean {
    if (condition === undefined) return true;
    if (!Object.hasOwn(this.#document.Conditions, condition)) {
      throw new StartFailure(`The template has no condition ${condition}.`);
    }
    return this.#resolve(this.#document.Conditions[condition], condition) === true;
  }

  #named(id: string, at: string): { type: ResourceType; resource: Unnamed; Type: string } {
    const found = this.#document.Resources[id];
    if (!found) throw new StartFailure(`The template refers to ${id} in ${at}, which it doesn't have.`);
    const type = this.#types[found.Type];
    if (!type)
      throw new StartFailure(`The local world doesn't know the resource type ${found.Type} (${id}).`);
    const resource: Unnamed = {
      id,
      stackName: this.name,
      text: (property) => {
        const value = this.#resolve(found.Properties[property], id);
        return typeof value === 'string' ? value : undefined;
      },
    };
    return { type, resource, Type: found.Type };
  }

  #ref(id: string, at: string): string {
    const { type, resource } = this.#named(id, at);
    return type.ref(resource);
  }

  #attribute(id: string, name: string, at: string): string {
    const { type, resource, Type } = this.#named(id, at);
    const attribute = type.attributes?.[name];
    if (!attribute) {
      throw new StartFailure(
        `The local world doesn't know the attribute ${name} of ${Type} (${id}, used in ${at}): add it where infra/local/stack/resource-types.ts names the type.`,
      );
    }
    return attribute(resource);
  }

  /** `at`: logical id of what is being resolved, for messages. */
  #resolve(value: unknown, at: string): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.#resolve(item, at)).filter((item) => item !== nothing);
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (entries.length === 1 && only) {
      const [key, argument] = only;
      if (key === 'Ref' || key === 'Condition' || key.startsWith('Fn::')) {
        return this.#intrinsic(key, argument, at);
      }
    }
    return Object.fromEntries(
      entries.map(([key, item]) => [key, this.#resolve(item, at)]).filter(([, item]) => item !== nothing),
    );
  }

  #intrinsic(name: string, argument: unknown, at: string): unknown {
    const resolved = () => this.#resolve(argument, at);
    const list = (): unknown[] => {
      const value = resolved();
      if (!Array.isArray(value)) throw new StartFailure(`${name} in ${at} takes a list.`);
      return value;
    };
    switch (name) {
      case 'Ref':
        return this.#reference(String(argument), at);
      case 'Condition':
        // Outside of Conditions it is an ordinary key: IAM policies have one.
        return typeof argument === 'string' && Object.hasOwn(this.#document.Conditions, argument)
          ? this.#holds(argument)
          : { Condition: resolved() };
      case 'Fn::GetAtt': {
        const [id = '', ...attribute] = Array.isArray(argument)
          ? argument.map(String)
          : String(argument).split('.');
        return this.#attribute(id, attribute.join('.'), at);
      }
      case 'Fn::Join': {
        const [separator, parts] = list();
        return (parts as unknown[]).map(String).join(String(separator));
      }
      case 'Fn::Split': {
        const [separator, text] = list();
        return String(text).split(String(separator));
      }
      case 'Fn::Select': {
        const [index, parts] = list();
        const selected = (parts as unknown[])[Number(index)];
        if (selected === undefined) throw new StartFailure(`Fn::Select in ${at} goes past its list.`);
        return selected;
      }
      case 'Fn::Sub':
        return this.#substitute(argument, at);
      case 'Fn::Base64':
        return Buffer.from(String(resolved())).toString('base64');
      case 'Fn::FindInMap': {
        const [map, first, second] = list().map(String);
        const found = this.#document.Mappings[map ?? '']?.[first ?? '']?.[second ?? ''];
        if (found === undefined) {
          throw new StartFailure(`The template has no ${map}.${first}.${second} among its mappings (${at}).`);
        }
        return found;
      }
      case 'Fn::If': {
        const [condition, yes, no] = argument as unknown[];
        return this.#resolve(this.#holds(String(condition)) ? yes : no, at);
      }
      case 'Fn::Equals': {
        const [left, right] = list();
        return String(left) === String(right);
      }
      case 'Fn::Not':
        return list()[0] !== true;
      case 'Fn::And':
        return list().every((item) => item === true);
      case 'Fn::Or':
        return list().some((item) => item === true);
      default:
        throw new StartFailure(
          `The template uses ${name} in ${at}, which infra/local/stack/template.ts can't resolve.`,
        );
    }
  }

  #reference(id: string, at: string): unknown {
    if (Object.hasOwn(pseudoParameters, id)) return pseudoParameters[id];
    if (id === 'AWS::StackName') return this.name;
    if (id === 'AWS::StackId') {
      return `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${this.name}/local`;
    }
    const parameter = this.#document.Parameters[id];
    if (!parameter) return this.#ref(id, at);
    if (parameter.Default === undefined) {
      throw new StartFailure(`The template's parameter ${id} has no default, so ${at} can't be resolved.`);
    }
    return parameter.Type.startsWith('List<') || parameter.Type === 'CommaDelimitedList'
      ? String(parameter.Default).split(',')
      : parameter.Default;
  }

  #substitute(argument: unknown, at: string): string {
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
    const given = this.#resolve(variables, at) as Record<string, unknown>;
    // ${!Name} is how a template writes a literal ${Name}.
    return String(text).replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (Object.hasOwn(given, name)) return String(given[name]);
      const [id = '', ...attribute] = name.split('.');
      return attribute.length > 0
        ? this.#attribute(id, attribute.join('.'), at)
        : String(this.#reference(name, at));
    });
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartFailure(`${file} could not be read: ${sentenceOf(error)}`);
  }
}
