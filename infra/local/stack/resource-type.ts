import { createHash } from 'node:crypto';

/** The parts of a resource that its name can be made from, before its properties are resolved. */
export interface Unnamed {
  /** Logical id. */
  id: string;
  stackName: string;
  /** The property, resolved, if it is a string. */
  text(property: string): string | undefined;
}

/** The names of the resources of a CloudFormation type, in AWS's format. */
export interface ResourceType {
  /** The value of `Ref`. The value is the same at every start, because browsers store data under it. */
  ref(resource: Unnamed): string;
  /** The values of `Fn::GetAtt`, by attribute. */
  attributes?: Record<string, (resource: Unnamed) => string>;
  /** The reason why the local world ignores such a resource. Absent if a service emulates it. */
  notEmulated?: string;
}

// AWS's account number for examples.
export const ACCOUNT = '123456789012';
export const REGION = 'us-east-1';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** `length` characters that look random and are the same at every start. */
export function stableId({ stackName, id }: Unnamed, length: number): string {
  const digest = createHash('sha512').update(`${stackName}/${id}`).digest();
  return [...digest.subarray(0, length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A name as CloudFormation generates it for a resource without a name. */
export function generatedName(resource: Unnamed): string {
  return `${resource.stackName}-${resource.id}`;
}

export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}
