import type { Plugin } from 'vite';
import { providersIn } from '../../schemas/product/providers.ts';

/**
 * Defines `import.meta.env.PROVIDERS`, the stage's providers, so that the built HTML has their buttons and no
 * others. `given`: their keys, separated by commas.
 */
export const offeredProviders = (given = process.env['SELFSAME_PROVIDERS']): Plugin => ({
  name: 'offered-providers',
  config: () => ({ define: { 'import.meta.env.PROVIDERS': JSON.stringify(providersIn(given)) } }),
});
