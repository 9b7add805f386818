import * as z from 'zod/mini';
import { CognitoError, invalidParameter } from './errors.ts';
import type { Parts } from './parts.ts';

export interface Operation {
  /** `signed`: requires a signature with AWS credentials, as in the functions' calls. */
  caller: 'anyone' | 'signed';
  /** Validates the body against the operation's schema, and runs it. Resolves with the response body. */
  run(parts: Parts, body: unknown): Promise<unknown>;
}

/** An operation of the API. Request members that the schema doesn't name are dropped, as in Cognito. */
export function operation<S extends z.ZodMiniType>({
  caller = 'anyone',
  request,
  run,
}: {
  caller?: Operation['caller'];
  request: S;
  run: (parts: Parts, request: z.infer<S>) => unknown;
}): Operation {
  return {
    caller,
    run: async (parts, body) => {
      const parsed = request.safeParse(body);
      if (!parsed.success) throw refusalOf(parsed.error.issues, body);
      return run(parts, parsed.data);
    },
  };
}

const PATTERN = 'Member must satisfy regular expression pattern: ';
export const lengths = (minimum: number, maximum: number) =>
  [
    z.minLength(minimum, `Member must have length greater than or equal to ${minimum}`),
    z.maxLength(maximum, `Member must have length less than or equal to ${maximum}`),
  ] as const;

/** Request members that operations share, with the constraints of Cognito's API reference. */
export const member = {
  ClientId: z.string().check(...lengths(1, 128), z.regex(/^[\w+]+$/, `${PATTERN}[\\w+]+`)),
  UserPoolId: z
    .string()
    .check(...lengths(1, 55), z.regex(/^[\w-]+_[0-9a-zA-Z]+$/, `${PATTERN}[\\w-]+_[0-9a-zA-Z]+`)),
  Username: z
    .string()
    .check(
      ...lengths(1, 128),
      z.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u, `${PATTERN}[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+`),
    ),
  /** The message has Cognito's pattern; the tested one is equivalent, without catastrophic backtracking. */
  Password: z
    .string()
    .check(
      z.maxLength(256, 'Member must have length less than or equal to 256'),
      z.regex(/^\S.*\S$/s, `${PATTERN}^[\\S]+.*[\\S]+$`),
    ),
  ConfirmationCode: z.string().check(...lengths(1, 2048), z.regex(/^\S+$/, `${PATTERN}[\\S]+`)),
  Token: z.string().check(...lengths(1, 8192), z.regex(/^[A-Za-z0-9-_=.]+$/, `${PATTERN}[A-Za-z0-9-_=.]+`)),
  Attributes: z.array(
    z.object({
      Name: z.string().check(...lengths(1, 32)),
      Value: z.optional(z.string().check(...lengths(0, 2048))),
    }),
  ),
  Metadata: z.nullish(z.record(z.string(), z.string())),
};

/** `[{Name, Value}]` as a record. A missing value becomes an empty string. */
export const attributeRecord = (list: z.infer<typeof member.Attributes>): Record<string, string> =>
  Object.fromEntries(list.map(({ Name, Value }) => [Name, Value ?? '']));

/** The message of Cognito's front end for wrong JSON types and violated constraints. */
function refusalOf(issues: readonly z.core.$ZodIssue[], body: unknown): CognitoError {
  const constraints: string[] = [];
  for (const issue of issues) {
    const value = valueAt(body, issue.path);
    const missing = value === undefined || value === null;
    if (issue.code === 'invalid_type' && !missing) {
      return new CognitoError('SerializationException', 'Unexpected value type in payload');
    }
    const constraint = missing ? 'Member must not be null' : issue.message;
    constraints.push(`Value at '${pathOf(issue.path)}' failed to satisfy constraint: ${constraint}`);
  }
  const errors = constraints.length === 1 ? 'error' : 'errors';
  return invalidParameter(`${constraints.length} validation ${errors} detected: ${constraints.join('; ')}`);
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/** A path in Cognito's notation: `userAttributes.1.member.name`, counting from 1. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => (typeof step === 'number' ? `${step + 1}.member` : lowerFirst(String(step)))).join('.');

const lowerFirst = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);
