import type * as z from 'zod/mini';
import { StartFailure } from '../base/start-failure.ts';
import type { Resource } from './template.ts';

/** A resource's properties that `schema` names. A refusal is a `StartFailure`, never a silent difference. */
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
