import { cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { sesMail } from '../adapters/ses.ts';
import { planAdapters, type PlanEnvironment } from '../plans/plan-adapters.ts';

type AccountEnvironment = PlanEnvironment &
  Parameters<typeof sesMail>[0] &
  Record<'ADDRESS_CHANGES_TABLE' | 'ADDRESSES_TABLE' | 'USER_POOL_ID', string>;

/** The adapters that delete an account, or hold it until its deletion. */
export const accountAdapters = (environment: AccountEnvironment) => ({
  ...planAdapters(environment),
  addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
  addresses: addressesTable(environment.ADDRESSES_TABLE),
  pool: cognitoAccountPool(environment.USER_POOL_ID),
  mail: sesMail(environment),
});

/** The adapters that change the address of an account, or set it back. */
export const addressAdapters = (environment: AccountEnvironment & Record<'WAITLIST_TABLE', string>) => ({
  ...accountAdapters(environment),
  waitlist: waitlistTable(environment.WAITLIST_TABLE),
});
