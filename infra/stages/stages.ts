import { production } from './production.ts';
import type { Stage } from './stage.ts';
import { staging } from './staging.ts';

/** Every stage, by its name. */
export const stages = { staging, production } as const satisfies Record<string, Stage>;

export type StageName = keyof typeof stages;

export const isStageName = (name: string | undefined): name is StageName =>
  name !== undefined && Object.hasOwn(stages, name);
