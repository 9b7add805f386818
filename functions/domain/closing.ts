import type { UserPlan } from '../../schemas/plan.ts';

// Milliseconds. A route ends after 29 s. Four times that outlasts the deletion and every request that was
// under way when it began.
const CLOSING_PERIOD = 2 * 60_000;

/** Until when a deletion that begins `now` keeps the account closed; ISO 8601. */
export const closingUntil = (now: Date): string => new Date(now.getTime() + CLOSING_PERIOD).toISOString();

/** Whether the account is being deleted at `now`. */
export const isClosing = (row: Pick<UserPlan, 'closing_until'>, now: Date): boolean =>
  row.closing_until !== undefined && Date.parse(row.closing_until) > now.getTime();
