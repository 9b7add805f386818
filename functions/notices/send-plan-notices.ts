import { randomUUID } from 'node:crypto';
import { isNoticeDue } from './is-notice-due.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { Notified } from '../../schemas/rows/notified.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { notifiedIn, type PlanFacts } from '../domain/plan-facts.ts';
import { dueNotices, type PlanNotice } from '../domain/plan-notices.ts';
import { notify } from './notify.ts';
import { TASK_INTERVAL } from '../tasks/enqueue-task.ts';
import { planNoticeEmail } from './plan-notice-email.ts';

export type PlanNoticeDependencies = Uses<'mail' | 'billingMails' | 'notices' | 'siteUrl'>;

export interface Decided {
  row: UserPlan;
  facts: PlanFacts;
}

// Milliseconds. Longer than a function takes to send the mails to one user, or lives after its last call.
const LEASE = 2 * 60_000;

/** The notices that a user can cause again and again, by cancelling and taking it back. */
const limited: ReadonlySet<PlanNotice['kind']> = new Set(['cancelled', 'kept']);

/**
 * Mails the user what has happened to the plan since the last mail. Safe to call at any time, also at once:
 * one caller has the lease. Each mail is noted once it is sent, so a crash between the two sends it once
 * more, or the mail that corrects it.
 *
 * `addressOf`: reads the user's verified address. Without an address the notices count as sent. Resolves with
 * the time of another try, if anything is left. Throws if the mail couldn't be sent.
 */
export async function sendPlanNotices(
  dependencies: PlanNoticeDependencies,
  { row, facts }: Decided,
  addressOf: () => Promise<string | undefined>,
  now: Date,
): Promise<Date | undefined> {
  const { billingMails, notices, mail, siteUrl } = dependencies;
  const due = dueNotices(row, facts, now);
  const [first] = due;
  if (!first) return undefined;
  const later = new Date(now.getTime() + TASK_INTERVAL);
  const isLimited = due.some(({ kind }) => limited.has(kind));
  if (isLimited && !(await isNoticeDue(notices, 'cancel', row.id, now))) return later;
  const email = await addressOf();
  const lease = `${new Date(now.getTime() + LEASE).toISOString()} ${randomUUID()}`;
  const { maybeNotified } = notifiedIn(row);
  if (!(await billingMails.claim(row, { lease, maybeNotified: maybeText(maybeNotified, first) }, now)))
    return later;
  for (const [index, notice] of due.entries()) {
    const isSent = await notify(mail, email, planNoticeEmail(notice, facts, { siteUrl, now }));
    if (!isSent && email !== undefined) throw new Error(`The mail "${notice.kind}" was not sent.`);
    const next = due[index + 1];
    await billingMails.store(row.id, JSON.stringify(notice.after), {
      lease,
      maybeNotified: next && maybeText(notice.maybeAfter, next),
    });
  }
  return undefined;
}

/** The states that the user may know while a mail is sent. `maybeNotified`: the same before it. */
function maybeText(maybeNotified: readonly Notified[], { after, maybeAfter }: PlanNotice): string {
  const texts = [...maybeNotified, after, ...maybeAfter].map((state) => JSON.stringify(state));
  return `[${[...new Set(texts)].join(',')}]`;
}
