/** The mails that several requests at once may cause. */
export type LimitedNotice = 'password' | 'cancel';

/**
 * Milliseconds between two mails about a changed password, or a cancelled subscription. Long enough for a
 * burst of changes to cause one mail; short enough that a thief's change is still mailed shortly after the
 * owner's own.
 */
export const NOTICE_INTERVAL = 5 * 60_000;
