/// <reference types="vite/types/importMeta.d.ts" />
import { defaultProviders, namesOf, type ProviderKey } from '../../../schemas/product/providers.ts';

declare global {
  interface ImportMetaEnv {
    readonly PROVIDERS?: readonly ProviderKey[];
  }
}

/** The stage's providers, from web/build/offered-providers.ts. Unit tests run without a build. */
export const offeredProviders = import.meta.env.PROVIDERS ?? defaultProviders;

/** Their names in a sentence. */
export const OFFERED_NAMES = offeredProviders.length === 0 ? 'a provider' : namesOf(offeredProviders);
