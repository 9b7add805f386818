import type { UserPlan } from '../../schemas/rows/plan.ts';

// Milliseconds. Outlasts the deletion and every request under way when it began: a route ends after 29 s.
const CLOSING_PERIOD = 2 * 60_000;

/** The end (ISO 8601) of the time for which a deletion that begins `now` keeps the account closed. */
export const closingUntil = (now: Date): string => new Date(now.getTime() + CLOSING_PERIOD).toISOString();

export const isClosing = (row: Pick<UserPlan, 'closing_until'>, now: Date): boolean =>
  row.closing_until !== undefined && Date.parse(row.closing_until) > now.getTime();
