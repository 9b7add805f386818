import type { Provider } from '../oauth/providers.ts';

/** The `provider` of `/oauth/start`, and the provider that it names. */
export const relayProviders = { google: 'Google', github: 'GitHub' } as const satisfies Record<
  string,
  Provider
>;

export type RelayProvider = keyof typeof relayProviders;

export const isRelayProvider = (name: string | null): name is RelayProvider =>
  name !== null && Object.hasOwn(relayProviders, name);
