import { accountPool } from '../adapters/cognito/account-pool.ts';
import { sesMail } from '../adapters/ses.ts';
import { addressChanges, addresses, appSessions, moments, waitlist } from '../adapters/tables.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { siteUrl } from '../runtime/with-environment.ts';

export const accountAdapters = {
  ...planAdapters,
  addressChanges,
  addresses,
  appSessions,
  pool: accountPool,
  mail: sesMail,
};

export const addressChangeAdapters = { ...accountAdapters, moments, waitlist, siteUrl };
