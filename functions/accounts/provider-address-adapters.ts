import { cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { sesMail } from '../adapters/ses.ts';
import { followProviderAddress, type ProviderSignIn } from './follow-provider-address.ts';

type Environment = Parameters<typeof sesMail>[0] &
  Record<'ADDRESSES_TABLE' | 'STRIPE_WORK_TABLE' | 'USER_PLANS_TABLE' | 'WAITLIST_TABLE', string>;

/** `followProviderAddress` for the trigger of Cognito's tokens, which imports this file on demand. */
export const followAt =
  (environment: Environment) =>
  (poolId: string, signIn: ProviderSignIn, now: Date): Promise<string | undefined> =>
    followProviderAddress(
      {
        pool: cognitoAccountPool(poolId),
        addresses: addressesTable(environment.ADDRESSES_TABLE),
        planTable: plansTable(environment.USER_PLANS_TABLE),
        tasks: billingTasks(environment.STRIPE_WORK_TABLE),
        waitlist: waitlistTable(environment.WAITLIST_TABLE),
        mail: sesMail(environment),
      },
      signIn,
      now,
    );
