import { randomUUID } from 'node:crypto';
import { isNoticeDue } from './is-notice-due.ts';
import type { BillingMails } from '../adapters/dynamodb/user-plans/billing-mails.ts';
import type { NoticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import type { PlansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import type { Mail } from '../adapters/ses.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { statesOf, stateText } from '../domain/billing-state.ts';
import { isClosing } from '../domain/closing.ts';
import { type PlanNotice, planNotices } from '../domain/plan-notices.ts';
import { notify } from './notify.ts';
import { TASK_INTERVAL } from './enqueue-task.ts';
import { planNoticeEmail } from './plan-notice-email.ts';

export interface PlanNoticeDependencies {
  mail: Pick<Mail, 'send'>;
  planTable: Pick<PlansTable, 'read'>;
  billingMails: BillingMails;
  notices: NoticeLimits;
  /** The site's origin. */
  siteUrl: string;
}

// Milliseconds. Longer than a function takes to send the mails to one user, or lives after its last call.
const LEASE = 2 * 60_000;

/** The notices that a user can cause again and again, by cancelling and taking it back. */
const limited: ReadonlySet<PlanNotice['kind']> = new Set(['cancelled', 'kept']);

/**
 * Mails the user what has happened to the plan since the last mail. Safe to call at any time, any number of
 * times, also at once: one caller at a time has the lease. The notified state is stored after each mail, so a
 * crash or a lost answer between the two sends that mail once more, from the task `notify`, or if it is no
 * longer true, the mail that corrects it; no mail is lost.
 *
 * `addressOf`: reads the user's verified address. Without an address the notices count as sent.
 *
 * Resolves with the time of another try; undefined if nothing is left. Throws if the mail couldn't be sent.
 */
export async function sendPlanNotices(
  dependencies: PlanNoticeDependencies,
  userId: string,
  addressOf: () => Promise<string | undefined>,
  now: Date,
): Promise<Date | undefined> {
  const { planTable, billingMails, notices } = dependencies;
  const row = await planTable.read(userId);
  const states = row && statesOf(row);
  if (!states) return undefined;
  const due = planNotices(states.notified, states.seen, now, states.maybeNotified);
  const [first] = due;
  if (!first) return undefined;
  const later = new Date(now.getTime() + TASK_INTERVAL);
  // A deletion that fails leaves an account that has paid.
  if (isClosing(row, now)) return later;
  const isLimited = due.some(({ kind }) => limited.has(kind));
  if (isLimited && !(await isNoticeDue(notices, 'cancel', userId, now))) return later;
  const email = await addressOf();
  const lease = `${new Date(now.getTime() + LEASE).toISOString()} ${randomUUID()}`;
  if (!(await billingMails.claim(row, { lease, maybeNotified: maybeText(states.maybeNotified, first) }, now)))
    return later;
  for (const [index, piece] of due.entries()) {
    await send(dependencies, { piece, email }, now);
    const next = due[index + 1];
    await billingMails.store(userId, stateText(piece.after), {
      lease,
      maybeNotified: next && maybeText(piece.maybeAfter, next),
    });
  }
  return undefined;
}

/** The states that the user may know while a mail is sent. `maybeNotified`: those before. */
function maybeText(maybeNotified: readonly BillingState[], { after, maybeAfter }: PlanNotice): string {
  const texts = [...maybeNotified, after, ...maybeAfter].map(stateText);
  return `[${[...new Set(texts)].join(',')}]`;
}

async function send(
  dependencies: PlanNoticeDependencies,
  { piece, email }: { piece: PlanNotice; email: string | undefined },
  now: Date,
): Promise<void> {
  const { mail, siteUrl } = dependencies;
  const isSent = await notify(mail, email, planNoticeEmail(piece, { siteUrl, now }));
  if (!isSent && email !== undefined) throw new Error(`The mail "${piece.kind}" was not sent.`);
}
