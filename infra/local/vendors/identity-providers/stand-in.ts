import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../base/store.ts';
import type { KnownProvider } from './known-provider.ts';
import type { AccountKind, Accounts } from './accounts.ts';
import type { Grants } from './grants.ts';
import type { ProviderAnswer, ProviderRequest } from './http.ts';

/** The product's client at a provider: the fields of a secret. */
export type ProviderClient = Readonly<Record<string, string>>;

/** A stand-in's name, accounts and grants. */
export interface Provider {
  /** Its path, such as `google` for `/google`. */
  key: string;
  name: string;
  needsName: boolean;
  accounts: Accounts;
  grants: Grants;
}

export interface StandInOptions<Client extends ProviderClient> {
  clock: Clock;
  store: Store;
  client: Client;
  provider: Provider;
}

/** A running stand-in, which answers below its key. */
export interface StandIn {
  /** `request.path` is relative to the base address. Undefined if there is no such route. */
  answer(request: ProviderRequest): ProviderAnswer | Promise<ProviderAnswer> | undefined;
}

/** A provider's stand-in: a module of this folder. */
export interface StandInModule<Client extends ProviderClient = ProviderClient> {
  name: string;
  accounts: AccountKind;
  /** The client that the stand-in knows. The local world stores it as the provider's secret. */
  client: Client;
  /** The deployed origins that functions call, with the path of the stand-in for each. @default none */
  origins?: Readonly<Record<string, string>>;
  /** The facts that Cognito knows, for this base address. @default none, since templates have all of them */
  inCognito?: (base: string) => { type: string; known: KnownProvider };
  create: (options: StandInOptions<Client>) => StandIn;
}

/** Checks a module's types. Another client may replace the fields of its own. */
export const standIn = <Client extends ProviderClient>(module: StandInModule<Client>): StandInModule => ({
  ...module,
  create: (options) => module.create({ ...options, client: { ...module.client, ...options.client } }),
});
