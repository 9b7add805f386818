import type { Clock } from '../../base/clock.ts';
import type { Inbox } from '../../base/inbox.ts';
import type { Store } from '../../base/store.ts';
import { Attempts } from './attempts.ts';
import { Challenges, type CustomChallenge, type PasswordChallenge } from './challenges.ts';
import { Codes } from './codes.ts';
import { Delivery } from './delivery.ts';
import { AuthorizationRequests } from './hosted/authorization-requests.ts';
import { AuthorizationCodes } from './hosted/authorization-codes.ts';
import { HostedSessions } from './hosted/hosted-sessions.ts';
import type { KnownProvider } from '../../vendors/identity-providers/known-provider.ts';
import { ProviderClient } from './hosted/provider-client.ts';
import { Pools } from './pools.ts';
import { Sessions } from './sessions.ts';
import { Tokens } from './tokens.ts';
import { Triggers, type Invoke } from './triggers.ts';
import { Users } from './users.ts';

/** The parts that the API's operations and the hosted endpoints share. */
export interface Parts {
  attempts: Attempts;
  authorizationCodes: AuthorizationCodes;
  authorizationRequests: AuthorizationRequests;
  challenges: Challenges<PasswordChallenge>;
  clock: Clock;
  codes: Codes;
  customChallenges: Challenges<CustomChallenge>;
  delivery: Delivery;
  hostedSessions: HostedSessions;
  /** Without a trailing slash. */
  origin: string;
  pools: Pools;
  providerClient: ProviderClient;
  sessions: Sessions;
  tokens: Tokens;
  triggers: Triggers;
  users: Users;
}

export function assemble(world: {
  clock: Clock;
  store: Store;
  mail: Inbox;
  origin: string;
  invoke: Invoke;
  knownProviders: Readonly<Record<string, KnownProvider>>;
}): Parts {
  const { clock, mail, store } = world;
  const attempts = new Attempts(world);
  const codes = new Codes({ attempts, clock, store });
  const pools = new Pools(world);
  const sessions = new Sessions(world);
  const triggers = new Triggers(world.invoke);
  const users = new Users(store);
  return {
    attempts,
    authorizationCodes: new AuthorizationCodes(world),
    authorizationRequests: new AuthorizationRequests(world),
    challenges: new Challenges(world, 'challenges'),
    clock,
    codes,
    customChallenges: new Challenges(world, 'custom-challenges'),
    delivery: new Delivery({ codes, mail, triggers }),
    hostedSessions: new HostedSessions(world),
    origin: world.origin,
    pools,
    providerClient: new ProviderClient(world),
    sessions,
    tokens: new Tokens({ clock, pools, sessions, triggers, users }),
    triggers,
    users,
  };
}
