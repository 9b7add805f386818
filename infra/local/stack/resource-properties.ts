import type * as z from 'zod/mini';
import { StartFailure } from '../base/start-failure.ts';
import type { Resource } from './template.ts';

/**
 * The properties of a resource that `schema` names. Values that the schema refuses are a `StartFailure`, so
 * that the local world never silently differs from the deployed stack.
 */
export function propertiesOf<T extends z.ZodMiniType>(
  schema: T,
  { id, type, properties }: Resource,
): z.output<T> {
  const parsed = schema.safeParse(properties);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.path.join('.') ?? '';
    throw new StartFailure(
      `The local world can't stand up ${id} (${type}): its property ${at} is set to what infra/local doesn't know.`,
    );
  }
  return parsed.data;
}
