import type { Made } from '../runtime/with-environment.ts';
import type { AccountPool } from './cognito/account-pool.ts';
import type { RelayClient } from './cognito/relay-client.ts';
import type { SessionUser } from './cognito/session-user.ts';
import type { UserPool } from './cognito/user-pool.ts';
import type { Mail } from './ses.ts';
import type { Billing } from './stripe/stripe-billing.ts';
import type * as tables from './tables.ts';

/** The adapters by the names that dependencies have. */
interface Adapters extends Made<typeof tables> {
  billing: Billing;
  mail: Mail;
  /** The part that a `UserPool` and an `AccountPool` share. */
  pool: Pick<UserPool, keyof UserPool & keyof AccountPool>;
  relayClient: RelayClient;
  sessionUser: SessionUser;
  /** The site's origin. */
  siteUrl: string;
  userPool: UserPool;
}

/** The adapters that a use case depends on. */
export type Uses<Name extends keyof Adapters> = Pick<Adapters, Name>;
