import type { Plugin } from 'vite';
import { isProviderKey, providerKeys, providers } from '../../schemas/product/providers.ts';

/**
 * Defines `import.meta.env.PROVIDERS`, the names of the stage's providers, so that the built HTML has their
 * buttons and no others. `given`: their keys, separated by commas. @default all
 */
export const offeredProviders = (given = process.env['SELFSAME_PROVIDERS']): Plugin => ({
  name: 'offered-providers',
  config: () => ({ define: { 'import.meta.env.PROVIDERS': JSON.stringify(namesOf(given)) } }),
});

/** The names of these providers. Throws for an unknown key. */
export function namesOf(given: string | undefined): string[] {
  const keys = given?.split(',').filter(Boolean) ?? providerKeys;
  return keys.map((key) => {
    if (!isProviderKey(key)) throw new Error(`SELFSAME_PROVIDERS names the unknown provider ${key}.`);
    return providers[key];
  });
}
