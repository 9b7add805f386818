import { eitherOf } from '../either-of.ts';

export interface ProviderFacts {
  name: string;
  /** The name in the user pool, of ASCII letters. Cognito itself names some providers. */
  poolName: string;
  /** Whether `functions/github-oidc` stands between it and Cognito, with error texts for users. */
  bridged: boolean;
  /** The provider's error code for a user who cancels. */
  cancelled: string;
}

/** The identity providers, by their parameter `provider` at `/oauth/start`. Stages offer some of them. */
export const providers = {
  google: { name: 'Google', poolName: 'Google', bridged: false, cancelled: 'access_denied' },
  github: { name: 'GitHub', poolName: 'GitHub', bridged: true, cancelled: 'access_denied' },
  apple: {
    name: 'Apple',
    poolName: 'SignInWithApple',
    bridged: false,
    cancelled: 'user_cancelled_authorize',
  },
} as const satisfies Record<string, ProviderFacts>;

export type ProviderKey = keyof typeof providers;

/**
 * The forms of accounts' ids, without capitals: Cognito writes user names in lower case, so an id with
 * capitals would name another account. Apart from the other facts, since pages don't need them.
 */
export const idForms: Record<ProviderKey, RegExp> = {
  google: /^\d+$/,
  github: /^\d+$/,
  apple: /^\d{6}\.[\da-f]{32}\.\d{4}$/,
};

/** The providers that stages offer, in the order of the buttons, unless a stage says otherwise. */
export const defaultProviders = ['google', 'github'] as const satisfies readonly ProviderKey[];

export const providerKeys = Object.keys(providers) as ProviderKey[];

export const isProviderKey = (key: unknown): key is ProviderKey =>
  typeof key === 'string' && Object.hasOwn(providers, key);

/** The providers in a list of keys, separated by commas. @default `defaultProviders` */
export const providersIn = (keys: string | undefined): readonly ProviderKey[] =>
  keys?.split(',').filter(Boolean).map(checkedKey) ?? defaultProviders;

function checkedKey(key: string): ProviderKey {
  if (!isProviderKey(key)) throw new Error(`SELFSAME_PROVIDERS names the unknown provider ${key}.`);
  return key;
}

/** The provider with this name in the user pool. Cognito writes the name in lower case in user names. */
export const providerInPool = (poolName: string): ProviderKey | undefined =>
  providerKeys.find((key) => providers[key].poolName.toLowerCase() === poolName.toLowerCase());

/** The provider in a Cognito user name like `google_1234`. Accounts with a password have other names. */
export const providerInUserName = (userName: string): ProviderKey | undefined =>
  providerInPool(/^([a-z]+)_/i.exec(userName)?.[1] ?? '');

/** The providers' names in a sentence: `Google or GitHub`. */
export const namesOf = (keys: readonly ProviderKey[]) => eitherOf(keys.map((key) => providers[key].name));
