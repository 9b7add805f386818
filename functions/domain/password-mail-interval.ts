/**
 * Milliseconds between two mails about a changed password. Long enough for a burst of changes to be one mail;
 * short enough that a thief's change is mailed although the owner changed the password a while ago.
 */
export const PASSWORD_MAIL_INTERVAL = 5 * 60_000;
