import type { UserPlan } from '../../schemas/rows/plan.ts';

// Milliseconds. A route ends after 29 s. Four times as long outlasts the deletion and every request that was
// under way when the deletion began.
const CLOSING_PERIOD = 2 * 60_000;

/** The end (ISO 8601) of the time for which a deletion that begins `now` keeps the account closed. */
export const closingUntil = (now: Date): string => new Date(now.getTime() + CLOSING_PERIOD).toISOString();

/** Whether the account is being deleted at `now`. */
export const isClosing = (row: Pick<UserPlan, 'closing_until'>, now: Date): boolean =>
  row.closing_until !== undefined && Date.parse(row.closing_until) > now.getTime();
