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

export interface CognitoOptions {
  clock: Clock;
  store: Store;
  mail: Inbox;
  /** Origin of the service, e.g. http://localhost:3001. A pool's issuer is `${origin}/${poolId}`. */
  origin: string;
  /** Rejects with the `{errorType, errorMessage}` that the function threw. */
  invoke: Invoke;
  /** The identity providers that Cognito knows, by their type. */
  knownProviders: Readonly<Record<string, KnownProvider>>;
}

/** The parts that the API's operations and the hosted endpoints share. */
export type Parts = ReturnType<typeof assemble>;

export function assemble(world: CognitoOptions) {
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
    challenges: new Challenges<PasswordChallenge>(world, 'challenges'),
    clock,
    codes,
    customChallenges: new Challenges<CustomChallenge>(world, 'custom-challenges'),
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
