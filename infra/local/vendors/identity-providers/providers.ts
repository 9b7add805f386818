/** The providers with a stand-in, by their paths. The value is the provider's name. */
export const providers = { google: 'Google', github: 'GitHub' } as const;

export type ProviderKey = keyof typeof providers;

export const providerKeys = Object.keys(providers) as ProviderKey[];

export const isProviderKey = (key: string): key is ProviderKey => Object.hasOwn(providers, key);
