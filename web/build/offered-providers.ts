import type { Plugin } from 'vite';
import { defaultProviders, isProviderKey, type ProviderKey } from '../../schemas/product/providers.ts';

/**
 * Defines `import.meta.env.PROVIDERS`, the stage's providers, so that the built HTML has their buttons and no
 * others. `given`: their keys, separated by commas.
 */
export const offeredProviders = (given = process.env['SELFSAME_PROVIDERS']): Plugin => ({
  name: 'offered-providers',
  config: () => ({ define: { 'import.meta.env.PROVIDERS': JSON.stringify(providersIn(given)) } }),
});

/** The providers in a list of keys. Throws for an unknown key. @default those that stages offer */
export const providersIn = (keys: string | undefined): readonly ProviderKey[] =>
  keys?.split(',').filter(Boolean).map(checked) ?? defaultProviders;

function checked(key: string): ProviderKey {
  if (!isProviderKey(key)) throw new Error(`SELFSAME_PROVIDERS names the unknown provider ${key}.`);
  return key;
}
