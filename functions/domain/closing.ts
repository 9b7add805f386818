import type { UserPlan } from '../../schemas/rows/plan.ts';

// Milliseconds. A route ends after 29 s. Four times as long outlasts the deletion and every request that was
// under way when the deletion began.
const CLOSING_PERIOD = 2 * 60_000;

/** The end (ISO 8601) of the time for which a deletion that begins `now` keeps the account closed. */
export const closingUntil = (now: Date): string => new Date(now.getTime() + CLOSING_PERIOD).toISOString();

// Milliseconds. The task that deletes the account may be late.
const DELAY = 7 * 86_400_000;

/** The end of the same for a deletion that waits until `due`. */
export const closedUntil = (due: Date): string => new Date(due.getTime() + DELAY).toISOString();

/** Whether the account waits for its deletion, or for support's. */
export const isWaiting = ({ closing_until }: Pick<UserPlan, 'closing_until'>, now: Date): boolean =>
  closing_until !== undefined && Date.parse(closing_until) > now.getTime() + CLOSING_PERIOD;

/** Whether the account is being deleted at `now`, or waits for it. */
export const isClosing = (row: Pick<UserPlan, 'closing_until'>, now: Date): boolean =>
  row.closing_until !== undefined && Date.parse(row.closing_until) > now.getTime();
