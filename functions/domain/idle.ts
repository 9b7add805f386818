import { isPaid } from '../../schemas/product/offers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { isClosing } from './closing.ts';
import { expiryShard } from './expiry-shard.ts';

const DAY = 24 * 3_600_000;
const after = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY);

// In days. An account is deleted after 365 without a sign-in, as the terms say.
const FIRST_WARNING = 335;
const NOTICE = [30, 7] as const;
// A mail that may not have arrived is sent again: a few until the alarm is handled, not one a day.
const RETRY = 7;

export const IDLE_WARNINGS = NOTICE.length;

/** The fields of an account that was opened or signed in to, whose token was renewed or whose Plus ended. */
export const inUse = (id: string, now: Date) => ({
  idle_due_at: after(now, FIRST_WARNING).toISOString(),
  idle_shard: expiryShard(id),
});

/** Whether a use in the last day is recorded already. Tokens are renewed every quarter of an hour. */
export const isUseRecorded = ({ idle_due_at }: { idle_due_at: string }, now: Date): boolean =>
  Date.parse(idle_due_at) > after(now, FIRST_WARNING - 1).getTime();

export interface NextIdleStep {
  /** ISO 8601. */
  due: string;
  warnings: number;
  /** The row's `idle_returned_mail`. */
  bouncedMail: string | undefined;
}

/** The next step of an account that is checked again in a year, with two new warnings before a deletion. */
export const nextYear = (id: string, now: Date): NextIdleStep => ({
  due: inUse(id, now).idle_due_at,
  warnings: 0,
  bouncedMail: undefined,
});

/** `keep`: postpones the account for a year. `closing`: a deletion has begun in the last two minutes. */
export type IdleStep = 'none' | 'closing' | 'keep' | 'warn' | 'delete';

/** The step that is due by the row. The caller asks Stripe for a subscription that the row doesn't show. */
export function idleStep(row: UserPlan, now: Date): IdleStep {
  if (row.idle_due_at === undefined || Date.parse(row.idle_due_at) > now.getTime()) return 'none';
  if (isClosing(row, now)) return 'closing';
  if (isPaid(row.plan)) return 'keep';
  return warningsOf(row) < IDLE_WARNINGS ? 'warn' : 'delete';
}

export const warningsOf = ({ idle_warnings = 0 }: Pick<UserPlan, 'idle_warnings'>): number => idle_warnings;

/** The earliest deletion after warning `warning` (1 or 2). Counted from the mail, which may be late. */
export const deletionAfter = (warning: number, sentAt: Date): Date =>
  after(sentAt, NOTICE[warning - 1] ?? NOTICE[0]);

/** The due time (ISO 8601) of the step after warning number `warning`: the next warning, or the deletion. */
export const dueAfterWarning = (warning: number, sentAt: Date): string =>
  after(sentAt, (NOTICE[warning - 1] ?? 0) - (NOTICE[warning] ?? 0)).toISOString();

/**
 * The next step of an account whose warning bounced for now, such as from a full mailbox. `messageId`: SES's
 * id of the mail. Undefined if the user has signed in since, or SES repeats the event.
 *
 * After the first bounce the warning is sent again a week later. After the second the account can't be
 * warned and isn't deleted: its next step is `nextYear`, with no bounced mail.
 */
export function afterReturnedWarning(row: UserPlan, messageId: string, now: Date): NextIdleStep | undefined {
  if (row.idle_due_at === undefined || Date.parse(row.idle_due_at) > after(now, NOTICE[0]).getTime()) {
    return undefined;
  }
  const { idle_returned_mail: earlier } = row;
  if (earlier === messageId) return undefined;
  return earlier !== undefined
    ? nextYear(row.id, now)
    : { due: dueAgain(now), warnings: Math.max(0, warningsOf(row) - 1), bouncedMail: messageId };
}

/** The due time (ISO 8601) of another try at a step that begins `now` and may not finish. */
export const dueAgain = (now: Date): string => after(now, RETRY).toISOString();
