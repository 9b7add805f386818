import { StartFailure } from '../base/start-failure.ts';
import { ACCOUNT, REGION, type ResourceType, type Unnamed } from './resource-type.ts';
import type { TemplateDocument } from './template-document.ts';

// `Ref: AWS::NoValue` removes the property.
const nothing = Symbol('AWS::NoValue');

const pseudoParameters: Record<string, unknown> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Region': REGION,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::NoValue': nothing,
  'AWS::NotificationARNs': [],
};

/** Resolves CloudFormation's intrinsics to the values that they would have in AWS. */
export class Intrinsics {
  readonly #document: TemplateDocument;
  readonly #types: Record<string, ResourceType>;
  readonly #stackName: string;

  constructor(document: TemplateDocument, types: Record<string, ResourceType>, stackName: string) {
    this.#document = document;
    this.#types = types;
    this.#stackName = stackName;
  }

  #named(id: string, at: string): { type: ResourceType; resource: Unnamed; Type: string } {
    const found = this.#document.Resources[id];
    if (!found) throw new StartFailure(`The template refers to ${id} in ${at}, which it doesn't have.`);
    const type = this.#types[found.Type];
    if (!type)
      throw new StartFailure(`The local world doesn't know the resource type ${found.Type} (${id}).`);
    const resource: Unnamed = {
      id,
      stackName: this.#stackName,
      text: (property) => {
        const value = this.resolve(found.Properties[property], id);
        return typeof value === 'string' ? value : undefined;
      },
    };
    return { type, resource, Type: found.Type };
  }

  /** The value of `Ref`. `at`: logical id of the resource that refers to it, for messages. */
  ref(id: string, at: string): string {
    const { type, resource } = this.#named(id, at);
    return type.ref(resource);
  }

  /** The value of `Fn::GetAtt`. */
  attribute(id: string, name: string, at: string): string {
    const { type, resource, Type } = this.#named(id, at);
    const attribute = type.attributes?.[name];
    if (!attribute) {
      throw new StartFailure(
        `The local world doesn't know the attribute ${name} of ${Type} (${id}, used in ${at}): add it where infra/local/aws names the type.`,
      );
    }
    return attribute(resource);
  }

  /** The value, with every intrinsic in it resolved. `at`: logical id of the resource, for messages. */
  resolve(value: unknown, at: string): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.resolve(item, at)).filter((item) => item !== nothing);
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (entries.length === 1 && only) {
      const [key, argument] = only;
      if (key === 'Ref' || key.startsWith('Fn::')) {
        return this.#intrinsic(key, argument, at);
      }
    }
    return Object.fromEntries(
      entries.map(([key, item]) => [key, this.resolve(item, at)]).filter(([, item]) => item !== nothing),
    );
  }

  #intrinsic(name: string, argument: unknown, at: string): unknown {
    const list = () => this.#list(name, argument, at);
    switch (name) {
      case 'Ref':
        return this.#reference(String(argument), at);
      case 'Fn::GetAtt': {
        const [id = '', ...attribute] = Array.isArray(argument)
          ? argument.map(String)
          : String(argument).split('.');
        return this.attribute(id, attribute.join('.'), at);
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
        if (selected === undefined) throw new StartFailure(`Fn::Select in ${at} is outside of its list.`);
        return selected;
      }
      case 'Fn::Sub':
        return this.#substitute(argument, at);
      default:
        throw new StartFailure(
          `The template uses ${name} in ${at}, which infra/local/stack/intrinsics.ts can't resolve.`,
        );
    }
  }

  #list(name: string, argument: unknown, at: string): unknown[] {
    const value = this.resolve(argument, at);
    if (!Array.isArray(value)) throw new StartFailure(`${name} in ${at} needs a list.`);
    return value;
  }

  #reference(id: string, at: string): unknown {
    if (Object.hasOwn(pseudoParameters, id)) return pseudoParameters[id];
    if (id === 'AWS::StackName') return this.#stackName;
    if (id === 'AWS::StackId') {
      return `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${this.#stackName}/local`;
    }
    return this.ref(id, at);
  }

  #substitute(argument: unknown, at: string): string {
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
    const given = this.resolve(variables, at) as Record<string, unknown>;
    // `${!Name}` is a literal `${Name}`.
    return String(text).replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (Object.hasOwn(given, name)) return String(given[name]);
      const [id = '', ...attribute] = name.split('.');
      return attribute.length > 0
        ? this.attribute(id, attribute.join('.'), at)
        : String(this.#reference(name, at));
    });
  }
}
