import { product } from '../../schemas/product.ts';
import type { Stage } from './stage.ts';
import type { StageName } from './stages.ts';

// `.example` is reserved and can't be registered (RFC 2606).
export const PLACEHOLDER = /put_yours_here|\.example\b/;

/** A setting that still holds its placeholder. */
export interface Placeholder {
  file: 'schemas/product.ts' | `infra/stages/${StageName}.ts`;
  setting: string;
}

/**
 * The settings to replace before this stage is deployed. A setting derived from another setting, such as the
 * mailbox, counts too.
 */
export function placeholdersOf(stageName: StageName, stage: Stage): Placeholder[] {
  const unset = (file: Placeholder['file'], settings: object): Placeholder[] =>
    Object.entries(settings)
      .filter(([, value]) => PLACEHOLDER.test(JSON.stringify(value)))
      .map(([setting]) => ({ file, setting }));
  return [...unset('schemas/product.ts', product), ...unset(`infra/stages/${stageName}.ts`, stage)];
}
