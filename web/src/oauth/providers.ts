/** The identity providers, by their names in the user pool. */
export const PROVIDERS = ['Google', 'GitHub'] as const;

export type Provider = (typeof PROVIDERS)[number];

export const isProvider = (name: unknown): name is Provider =>
  PROVIDERS.some((provider) => provider === name);
