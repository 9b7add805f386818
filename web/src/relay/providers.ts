/** Who the relay lets people sign in with: their name in an address, and what Cognito and people call them. */
export const relayProviders = { google: 'Google', github: 'GitHub' } as const;

export type RelayProvider = keyof typeof relayProviders;

export const isRelayProvider = (name: string | null): name is RelayProvider =>
  name !== null && Object.hasOwn(relayProviders, name);
