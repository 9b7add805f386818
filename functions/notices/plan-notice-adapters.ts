import { billingMails } from '../adapters/dynamodb/user-plans/billing-mails.ts';
import { noticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import { sesMail } from '../adapters/ses.ts';

/** The adapters that mail users about their plan. */
export const planNoticeAdapters = (
  environment: Parameters<typeof sesMail>[0] &
    Record<'USER_PLANS_TABLE' | 'ADDRESS_CHANGES_TABLE' | 'SITE_URL', string>,
) => ({
  addressChanges: {
    // Imported on demand: its schema is large, and few mails go to an earlier address.
    read: async (id: string) => {
      const { addressChangesTable } = await import('../adapters/dynamodb/address-changes-table.ts');
      return addressChangesTable(environment.ADDRESS_CHANGES_TABLE).read(id);
    },
  },
  billingMails: billingMails(environment.USER_PLANS_TABLE),
  notices: noticeLimits(environment.USER_PLANS_TABLE),
  mail: sesMail(environment),
  siteUrl: environment.SITE_URL,
});
