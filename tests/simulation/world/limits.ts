export const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The longest time that a user may be on the wrong plan while the schedules run: one hour until the next run,
 * and one more hour where that run fails. The limit holds even if every webhook is lost and no page is
 * opened.
 */
export const MAX_WRONG_PLAN = 2 * HOUR;

/** Stripe lists events for thirty days. A catch-up after a longer break misses some. */
export const MAX_CATCH_UP_BREAK = 25 * DAY;

/** Longer than the stand-in takes to settle a payment. */
export const SETTLEMENT = 5 * DAY;

/** Longer than two renewals with all retries of a failed payment. */
export const AFTER_DELETION = 70 * DAY;

/** Longer than the pause between two mails that a user can cause. */
export const MAIL_LIMIT = 6 * 60_000;
