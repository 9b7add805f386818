import type { KnownProvider } from './known-provider.ts';
import { apple } from './apple.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import type { ProviderClient, StandInModule } from './stand-in.ts';

/** The providers with a stand-in, by their paths. */
export const standIns = { google, github, apple } as const satisfies Record<string, StandInModule>;

export type StandInKey = keyof typeof standIns;

export const standInKeys = Object.keys(standIns) as StandInKey[];

/** The product's clients, by the names of their secrets. */
export const providerClients = Object.fromEntries(
  standInKeys.map((key) => [key, standIns[key].client]),
) as Record<StandInKey, ProviderClient>;

/** The providers that Cognito knows by their type, at the stand-ins' origin. */
export const knownProviders = (origin: string): Record<string, KnownProvider> =>
  Object.fromEntries(
    standInKeys.flatMap((key) => {
      const found = standIns[key].inCognito?.(`${origin}/${key}`);
      return found ? [[found.type, found.known]] : [];
    }),
  );

/** Each deployed origin of a provider, with its address at the stand-ins' origin. */
export const standInAddresses = (origin: string): [string, string][] =>
  standInKeys.flatMap((key) =>
    Object.entries(standIns[key].origins ?? {}).map(([deployed, path]): [string, string] => [
      deployed,
      `${origin}/${key}${path}`,
    ]),
  );
