import { createHash } from 'node:crypto';

/** A resource before its properties are resolved: what a name can be made from. */
export interface Unnamed {
  /** Logical id. */
  id: string;
  stackName: string;
  /** The property, resolved, if it is a string. */
  text(property: string): string | undefined;
}

/** How the resources of one CloudFormation type are called, on this machine as in AWS. */
export interface ResourceType {
  /** What `Ref` gives. The same at every start, so that what a browser has stored under it stays valid. */
  ref(resource: Unnamed): string;
  /** What `Fn::GetAtt` gives, by attribute. */
  attributes?: Record<string, (resource: Unnamed) => string>;
  /** Why nothing on this machine stands for such a resource; absent where something does. */
  faceless?: string;
}

// A made-up account, of the form AWS reserves for examples.
export const ACCOUNT = '123456789012';
// The stack's one region: on-aws.md, "Where it runs".
export const REGION = 'us-east-1';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** `length` characters that look random and are always the same for this resource. */
export function stableId({ stackName, id }: Unnamed, length: number): string {
  const digest = createHash('sha512').update(`${stackName}/${id}`).digest();
  return [...digest.subarray(0, length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** The name CloudFormation gives a resource that has none of its own. */
export function generatedName(resource: Unnamed): string {
  return `${resource.stackName}-${resource.id}`;
}

export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}
