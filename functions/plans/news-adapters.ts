import { addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { billingMails } from '../adapters/dynamodb/billing-mails.ts';
import { noticeLimits } from '../adapters/dynamodb/notice-limits.ts';
import { sesMail } from '../adapters/ses.ts';

/** The adapters that mail users about their plan. */
export const newsAdapters = (
  environment: Parameters<typeof sesMail>[0] &
    Record<'PLANS_TABLE' | 'ADDRESS_CHANGES_TABLE' | 'SITE_URL', string>,
) => ({
  addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
  billingMails: billingMails(environment.PLANS_TABLE),
  notices: noticeLimits(environment.PLANS_TABLE),
  mail: sesMail(environment),
  siteUrl: environment.SITE_URL,
});
