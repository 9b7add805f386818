import type { UserPlan } from '../../schemas/plan.ts';

// API Gateway gives up on a route after 29 s, and the function with it. Four times that outlasts the deletion and
// every request that was on its way when it began.
const CLOSING_FOR = 2 * 60_000;

/** How long a deletion that begins `now` keeps the account closed; ISO 8601. */
export const closingUntil = (now: Date): string => new Date(now.getTime() + CLOSING_FOR).toISOString();

/** Whether the account is being deleted at `now`. */
export const isClosing = (row: Pick<UserPlan, 'closing_until'>, now: Date): boolean =>
  row.closing_until !== undefined && Date.parse(row.closing_until) > now.getTime();
