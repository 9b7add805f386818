import { cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { appSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { sesMail } from '../adapters/ses.ts';
import { planAdapters, type PlanEnvironment } from '../plans/plan-adapters.ts';

type AccountEnvironment = PlanEnvironment &
  Parameters<typeof sesMail>[0] &
  Record<'ADDRESS_CHANGES_TABLE' | 'ADDRESSES_TABLE' | 'USER_POOL_ID', string>;

const sharedAdapters = (environment: AccountEnvironment) => ({
  ...planAdapters(environment),
  addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
  addresses: addressesTable(environment.ADDRESSES_TABLE),
  pool: cognitoAccountPool(environment.USER_POOL_ID),
  mail: sesMail(environment),
});

/** The adapters that delete an account. */
export const accountAdapters = (environment: AccountEnvironment & Record<'APP_SESSIONS_TABLE', string>) => ({
  ...sharedAdapters(environment),
  appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
});

/** The adapters that change the address of an account. */
export const addressChangeAdapters = (
  environment: AccountEnvironment & Record<'WAITLIST_TABLE' | 'SITE_URL', string>,
) => ({
  ...sharedAdapters(environment),
  waitlist: waitlistTable(environment.WAITLIST_TABLE),
  siteUrl: environment.SITE_URL,
});
