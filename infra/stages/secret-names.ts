import { product } from '../../schemas/product/product.ts';
import { type ProviderKey, providerKeys } from '../../schemas/product/providers.ts';
import type { StageName } from './stages.ts';

type SecretName = 'stripe' | ProviderKey;

/**
 * The secrets with the vendors' keys, which `npm run ops -- secrets` creates. They aren't part of the stack,
 * so a failed deployment or a removal leaves no deleted secrets that block the next deployment.
 */
export const secretNames = (stageName: StageName) => {
  const names: readonly SecretName[] = ['stripe', ...providerKeys];
  return Object.fromEntries(names.map((name) => [name, `${product.slug}/${stageName}/${name}`])) as Record<
    SecretName,
    string
  >;
};
