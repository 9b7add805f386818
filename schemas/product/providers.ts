/**
 * The identity providers that users can sign in with, by their `provider` parameter at `/oauth/start`. The
 * value is the provider's name in the user pool, on buttons and in sentences. To add a provider, add an
 * entry: the compiler then names every place that the new provider needs.
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

/**
 * Joins words as `Intl.ListFormat` does: `Google or GitHub`. `Intl.ListFormat` itself would add a fifth to
 * the cold start of every function, because its first use loads ICU.
 */
export const eitherOf = (words: readonly string[]): string => {
  if (words.length < 3) return words.join(' or ');
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`;
};
