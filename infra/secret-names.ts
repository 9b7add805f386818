import { product } from '../schemas/product.ts';
import type { StageName } from './stages.ts';

/**
 * The secrets that `npm run secrets` makes, with the keys that vendors issue. They aren't part of the stack,
 * so neither a failed deployment nor a removal leaves remains of them in the way of the next one.
 */
export const secretNames = (stageName: StageName) => {
  const named = <N extends string>(name: N) => `${product.slug}/${stageName}/${name}` as const;
  return { stripe: named('stripe'), google: named('google'), github: named('github') };
};
