import { product } from '../../schemas/product/product.ts';
import type { StageName } from './stages.ts';

/**
 * The secrets with the vendors' keys, which `npm run ops -- secrets` creates. They aren't part of the stack,
 * so a failed deployment or a removal leaves no deleted secrets that block the next deployment.
 */
export const secretNames = (stageName: StageName) => {
  const named = <N extends string>(name: N) => `${product.slug}/${stageName}/${name}` as const;
  return { stripe: named('stripe'), google: named('google'), github: named('github') };
};
