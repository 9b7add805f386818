/**
 * Milliseconds between two mails about a changed password. Long enough for a burst of changes to cause one
 * mail; short enough that a thief's change is still mailed shortly after the owner's own.
 */
export const PASSWORD_MAIL_INTERVAL = 5 * 60_000;
