import { proofsTable } from '../adapters/dynamodb/proofs-table.ts';
import { sesMail } from '../adapters/ses.ts';
import { billingMails, notices } from '../adapters/tables.ts';
import { siteUrl } from '../runtime/with-environment.ts';

export const linkAdapters = { proofs: proofsTable, mail: sesMail, siteUrl };

/** The adapters that mail users about their plan: `PlanNoticeDependencies`, but for the table. */
export const planNoticeAdapters = { billingMails, notices, mail: sesMail, siteUrl };
