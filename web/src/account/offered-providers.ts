/// <reference types="vite/types/importMeta.d.ts" />
import { defaultProviders, namesOf, type ProviderKey } from '../../../schemas/product/providers.ts';

/** The stage's providers, from web/build/offered-providers.ts. Unit tests run without a build. */
export const offeredProviders: readonly ProviderKey[] =
  (import.meta.env['PROVIDERS'] as readonly ProviderKey[] | undefined) ?? defaultProviders;

/** Their names in a sentence. */
export const OFFERED_NAMES = offeredProviders.length === 0 ? 'a provider' : namesOf(offeredProviders);
