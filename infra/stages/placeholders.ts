import { unknownsOf } from '../../schemas/product/owner.ts';
import { product } from '../../schemas/product/product.ts';
import { OWNER_FILE, readOwner } from './owner.ts';
import type { Stage } from './stage.ts';
import type { StageName } from './stages.ts';

// `.example` is reserved and can't be registered (RFC 2606).
export const PLACEHOLDER = /put_yours_here|\.example\b/;

/** A setting that still holds its placeholder. */
export interface Placeholder {
  file: 'schemas/product/product.ts' | typeof OWNER_FILE | `infra/stages/${StageName}.ts`;
  setting: string;
}

/**
 * The settings to replace before this stage is deployed. A setting derived from another setting, such as the
 * mailbox, counts too. Production also needs what only the owner knows. In other stages, pages say that it is
 * unknown.
 */
export function placeholdersOf(stageName: StageName, stage: Stage, owner = readOwner): Placeholder[] {
  const unset = (file: Placeholder['file'], settings: object): Placeholder[] =>
    Object.entries(settings)
      .filter(([, value]) => PLACEHOLDER.test(JSON.stringify(value)))
      .map(([setting]) => ({ file, setting }));
  const unknowns = stageName === 'production' ? unknownsOf(owner()) : [];
  return [
    ...unset('schemas/product/product.ts', product),
    ...unset(`infra/stages/${stageName}.ts`, stage),
    ...unknowns.map((setting): Placeholder => ({ file: OWNER_FILE, setting })),
  ];
}
