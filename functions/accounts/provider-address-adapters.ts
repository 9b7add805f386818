import { addresses, planTable, tasks, waitlist } from '../adapters/tables.ts';
import { sesMail } from '../adapters/ses.ts';
import { cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { made } from '../runtime/with-environment.ts';
import { followProviderAddress, type ProviderSignIn } from './follow-provider-address.ts';

const adapters = { addresses, planTable, tasks, waitlist, mail: sesMail };
type Environment = Record<
  'ADDRESSES_TABLE' | 'MAIL_FROM' | 'STRIPE_WORK_TABLE' | 'USER_PLANS_TABLE' | 'WAITLIST_TABLE',
  string
>;

/** `followProviderAddress` for the trigger of Cognito's tokens, which imports this file on demand. */
export const followAt =
  (environment: Environment) =>
  (poolId: string, signIn: ProviderSignIn, now: Date): Promise<string | undefined> =>
    followProviderAddress({ ...made(adapters, environment), pool: cognitoAccountPool(poolId) }, signIn, now);
