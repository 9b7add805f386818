import { billingMails } from '../adapters/dynamodb/user-plans/billing-mails.ts';
import { noticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import { sesMail } from '../adapters/ses.ts';

/** The adapters that mail users about their plan. */
export const planNoticeAdapters = (
  environment: Parameters<typeof sesMail>[0] & Record<'USER_PLANS_TABLE' | 'SITE_URL', string>,
) => ({
  billingMails: billingMails(environment.USER_PLANS_TABLE),
  notices: noticeLimits(environment.USER_PLANS_TABLE),
  mail: sesMail(environment),
  siteUrl: environment.SITE_URL,
});
