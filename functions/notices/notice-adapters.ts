import { sesMail } from '../adapters/ses.ts';
import { billingMails, notices, proofs } from '../adapters/tables.ts';
import { siteUrl } from '../runtime/with-environment.ts';

export const linkAdapters = { proofs, mail: sesMail, siteUrl };

/** The adapters that mail users about their plan: `PlanNoticeDependencies`, but for the table. */
export const planNoticeAdapters = { billingMails, notices, mail: sesMail, siteUrl };
