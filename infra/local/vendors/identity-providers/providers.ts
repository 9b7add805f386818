/** The providers with a stand-in, by their paths. The value is the provider's name. */
export const standIns = { google: 'Google', github: 'GitHub' } as const;

export type StandInKey = keyof typeof standIns;

export const standInKeys = Object.keys(standIns) as StandInKey[];

export const isStandInKey = (key: string): key is StandInKey => Object.hasOwn(standIns, key);
