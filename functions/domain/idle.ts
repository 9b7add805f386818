import type { UserPlan } from '../../schemas/plan.ts';
import { isClosing } from './closing.ts';
import { expiryShard } from './expiry-shard.ts';

const DAY = 24 * 3_600_000;
const after = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY);

// In days. An account without a sign-in for 365 days is deleted, as the terms say. Its owner is warned 30 and
// 7 days before.
const FIRST_WARNING = 335;
const NOTICE = [30, 7] as const;
// A mail that may not have arrived is sent again a week later. So a failure that comes back sends a few mails
// until somebody has seen to the alarm, not one a day.
const RETRY = 7;

/** How many warnings are sent before an account is deleted. */
export const IDLE_WARNINGS = NOTICE.length;

/**
 * The fields of an account that is in use `now`: it has been opened or signed in to, or its Plus plan has
 * ended. The warnings before that no longer count.
 */
export const inUse = (id: string, now: Date) => ({
  idle_due_at: after(now, FIRST_WARNING).toISOString(),
  idle_shard: expiryShard(id),
});

/** The next step of an idle account, as its row keeps it. */
export interface NextIdleStep {
  /** ISO 8601. */
  due: string;
  warnings: number;
  /** The row's `idle_returned_mail`. */
  returnedMail: string | undefined;
}

/** An account is looked at again in a year, and its owner then warned twice again. */
export const nextYear = (id: string, now: Date): NextIdleStep => ({
  due: inUse(id, now).idle_due_at,
  warnings: 0,
  returnedMail: undefined,
});

/**
 * What is due for an account: nothing, to look again in a year, a mail to its owner, or its deletion.
 * `closing`: a deletion has begun in the last two minutes.
 */
export type IdleStep = 'none' | 'closing' | 'keep' | 'warn' | 'delete';

/**
 * What is due by the row. Whether Stripe knows a subscription of which the row knows nothing is for the
 * caller to ask.
 */
export function idleStep(row: UserPlan, now: Date): IdleStep {
  if (row.idle_due_at === undefined || Date.parse(row.idle_due_at) > now.getTime()) return 'none';
  if (isClosing(row, now)) return 'closing';
  if (row.plan === 'plus') return 'keep';
  return warningsOf(row) < IDLE_WARNINGS ? 'warn' : 'delete';
}

/** How many warnings have been sent since the account was last in use. */
export const warningsOf = ({ idle_warnings = 0 }: Pick<UserPlan, 'idle_warnings'>): number => idle_warnings;

/**
 * When an account may be deleted whose owner gets warning number `warning` (1 or 2) at `sentAt`. Counted from
 * the mail, so a late mail postpones the deletion.
 */
export const deletionAfter = (warning: number, sentAt: Date): Date =>
  after(sentAt, NOTICE[warning - 1] ?? NOTICE[0]);

/** When the step after warning number `warning` is due: the next warning, or the deletion. ISO 8601. */
export const dueAfterWarning = (warning: number, sentAt: Date): string =>
  after(sentAt, (NOTICE[warning - 1] ?? 0) - (NOTICE[warning] ?? 0)).toISOString();

/** A warning that SES says has come back. */
export interface ReturnedWarning {
  /** SES's. */
  messageId: string;
  /** Whether SES sends the address no mail any more. Not so for a full mailbox, or a server that is away. */
  isLasting: boolean;
}

/**
 * The next step of an account whose warning has come back, at the time that SES says so. Undefined if nothing
 * follows: its user has signed in since, or the event comes once more.
 *
 * The first mail that may arrive another time is sent again a week later. After the second, or where the
 * reason lasts, the account can't be warned, and isn't deleted: `nextYear`, with no returned mail.
 */
export function afterReturnedWarning(
  row: UserPlan,
  { messageId, isLasting }: ReturnedWarning,
  now: Date,
): NextIdleStep | undefined {
  if (row.idle_due_at === undefined || Date.parse(row.idle_due_at) > after(now, NOTICE[0]).getTime()) {
    return undefined;
  }
  const { idle_returned_mail: earlier } = row;
  if (!isLasting && earlier === messageId) return undefined;
  return isLasting || earlier !== undefined
    ? nextYear(row.id, now)
    : { due: dueAgain(now), warnings: Math.max(0, warningsOf(row) - 1), returnedMail: messageId };
}

/** When a step that begins `now`, and may not get to its end, is due again. ISO 8601. */
export const dueAgain = (now: Date): string => after(now, RETRY).toISOString();
