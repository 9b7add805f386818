import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Store } from '../base/store.ts';
import type { Resource, Stack } from './template.ts';

const Functions = z.looseObject({
  Environment: z.looseObject({ Variables: z.looseObject({ STAGE: z.string() }) }),
});

/**
 * The stage of this folder's world at Stripe. Not `staging`: with a test key, the world may share an account
 * at Stripe with staging and with other machines, which don't know each other's users.
 */
export function localStage(store: Store): string {
  const saved = store.collection<string>('stage');
  const name = saved.get('name') ?? `local-${randomBytes(4).toString('hex')}`;
  saved.put('name', name);
  return name;
}

/**
 * The stack, with functions that mark the objects they create at Stripe with `stage`. `tax`: the stage's
 * setting. The stand-in computes taxes; an account in Stripe's test mode may lack the settings for them.
 */
export function withStage(stack: Stack, stage: string, tax: 'none' | 'automatic'): Stack {
  return {
    ...stack,
    of: (type) => stack.of(type).map((resource) => staged(resource, stage, tax)),
  };
}

function staged(resource: Resource, stage: string, tax: string): Resource {
  const { data: properties } = Functions.safeParse(resource.properties);
  if (resource.type !== 'AWS::Lambda::Function' || !properties) return resource;
  const { Environment } = properties;
  const Variables = {
    ...Environment.Variables,
    STAGE: stage,
    ...('TAX' in Environment.Variables && { TAX: tax }),
  };
  return { ...resource, properties: { ...properties, Environment: { ...Environment, Variables } } };
}
