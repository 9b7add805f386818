/**
 * The identity providers that users can sign in with, by the `provider` of `/oauth/start`. The value is the
 * provider's name in the user pool, on buttons and in sentences. To add a provider, add an entry: the
 * compiler then names the places that need something of the new provider.
 */
export const providers = { google: 'Google', github: 'GitHub' } as const;

export type ProviderKey = keyof typeof providers;
/** A provider's name in the user pool. */
export type Provider = (typeof providers)[ProviderKey];

export const providerKeys = Object.keys(providers) as ProviderKey[];
export const providerNames: readonly Provider[] = Object.values(providers);

export const isProviderKey = (key: string | null): key is ProviderKey =>
  key !== null && Object.hasOwn(providers, key);

export const isProvider = (name: unknown): name is Provider =>
  providerNames.some((provider) => provider === name);

/** `Google or GitHub`. */
export const eitherOf = (words: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(words);
