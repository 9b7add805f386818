import { product } from '../../schemas/product/product.ts';

// A name that no other product in the same Stripe account uses. `user_id` is a common convention.
const KEY = product.slug;

/** A value that no stage has, so that nothing of ours acts on the object again. */
const RELEASED = 'released';

type Metadata = Readonly<Record<string, string | null | undefined>>;

/** The owner of an object at Stripe, by its metadata. */
export type Owner =
  /** Ours, of this stage. `userId`: undefined for an object without a user, such as a price. */
  | { kind: 'ours'; userId: string | undefined }
  /** An object of another stage, or a released one. */
  | { kind: 'foreign' }
  /** An object of another product, or one that support made. */
  | { kind: 'unmarked' };

/**
 * The metadata of all that a stage creates at Stripe: `selfsame: 'production/<user id>'`, or without a user
 * `'production'`. The Stripe account may have more products and stages: only what has this mark is changed.
 */
export const markOf = (stage: string, userId?: string): Record<string, string> => ({
  [KEY]: userId === undefined ? stage : `${stage}/${userId}`,
});

/** Metadata that replaces a mark when an object is left to another product. */
export const RELEASED_MARK: Readonly<Record<string, string>> = { [KEY]: RELEASED };

export function ownerIn(metadata: Metadata | null | undefined, stage: string): Owner {
  const mark = metadata?.[KEY];
  if (!mark) return { kind: 'unmarked' };
  if (mark === stage) return { kind: 'ours', userId: undefined };
  const userId = mark.startsWith(`${stage}/`) ? mark.slice(stage.length + 1) : '';
  return userId === '' ? { kind: 'foreign' } : { kind: 'ours', userId };
}

export const isOurs = (metadata: Metadata | null | undefined, stage: string): boolean =>
  ownerIn(metadata, stage).kind === 'ours';
