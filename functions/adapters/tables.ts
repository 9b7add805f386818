/* The adapters of tables by their names in dependencies. esbuild drops those that a handler doesn't name. */
import { addressChangesTable } from './dynamodb/address-changes-table.ts';
import { addressLimits } from './dynamodb/address-limits.ts';
import { addressesTable } from './dynamodb/addresses-table.ts';
import { appCodesTable } from './dynamodb/app-codes-table.ts';
import { appSessionsTable, browserSessions } from './dynamodb/app-sessions-table.ts';
import { billingTasks } from './dynamodb/billing-tasks.ts';
import { eventCursor } from './dynamodb/cursors.ts';
import { proofsTable } from './dynamodb/proofs-table.ts';
import { billingMails as billingMailsIn } from './dynamodb/user-plans/billing-mails.ts';
import { idleAccounts } from './dynamodb/user-plans/idle-accounts.ts';
import { bounces as bouncesIn } from './dynamodb/user-plans/bounces.ts';
import { noticeLimits } from './dynamodb/user-plans/notice-limits.ts';
import { plansTable } from './dynamodb/user-plans/plans-table.ts';
import { type AccountMoments, accountMoments } from './dynamodb/user-plans/account-moments.ts';
import { waitlistTable } from './dynamodb/waitlist-table.ts';

type With<Variable extends string> = Readonly<Record<Variable, string>>;

export const addressChanges = (of: With<'ADDRESS_CHANGES_TABLE'>) =>
  addressChangesTable(of.ADDRESS_CHANGES_TABLE);
export const addresses = (of: With<'ADDRESSES_TABLE'>) => addressesTable(of.ADDRESSES_TABLE);
export const appCodes = (of: With<'APP_CODES_TABLE'>) => appCodesTable(of.APP_CODES_TABLE);
export const appSessions = (of: With<'APP_SESSIONS_TABLE'>) => appSessionsTable(of.APP_SESSIONS_TABLE);
export const browsers = (of: With<'APP_SESSIONS_TABLE'>) => browserSessions(of.APP_SESSIONS_TABLE);
export const cursor = (of: With<'STRIPE_WORK_TABLE'>) => eventCursor(of.STRIPE_WORK_TABLE);
export const limits = (of: With<'LIMITS_TABLE'>) => addressLimits(of.LIMITS_TABLE);
export const proofs = proofsTable;
export const tasks = (of: With<'STRIPE_WORK_TABLE'>) => billingTasks(of.STRIPE_WORK_TABLE);
export const waitlist = (of: With<'WAITLIST_TABLE'>) => waitlistTable(of.WAITLIST_TABLE);

export const planTable = (of: With<'USER_PLANS_TABLE'>) => plansTable(of.USER_PLANS_TABLE);
export const bounces = (of: With<'USER_PLANS_TABLE'>) => bouncesIn(of.USER_PLANS_TABLE);
export const billingMails = (of: With<'USER_PLANS_TABLE'>) => billingMailsIn(of.USER_PLANS_TABLE);
export const idle = (of: With<'USER_PLANS_TABLE'>) => idleAccounts(of.USER_PLANS_TABLE);
export const notices = (of: With<'USER_PLANS_TABLE'>) => noticeLimits(of.USER_PLANS_TABLE);
export const moments = (of: With<'USER_PLANS_TABLE'>) => accountMoments(of.USER_PLANS_TABLE);
/** For routes that need nothing else of the row. */
export const accountRows = (of: With<'USER_PLANS_TABLE'>): Pick<AccountMoments, 'read' | 'everybody'> =>
  moments(of);

/** The tables of `TakeBackDependencies`. */
export const takeBackTables = { addressChanges, appSessions, moments };
