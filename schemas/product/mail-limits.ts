/**
 * The number of mails in a day (UTC) for each purpose, whoever asks and however often the account behind an
 * address is made again. Each purpose has its own count, and every link in those mails works: a stranger who
 * spends a count leaves the owner ten links.
 */
export const DAILY_MAILS = 10;

/**
 * The purposes of mails that are counted by mailbox, since anybody can cause them at any spelling of an
 * address. `new-address`: proves the address that an account asks for, or tells its owner that somebody
 * asked. `unconfirmed-reset`: a reset of an account that was never confirmed.
 */
export const purposesByMailbox = ['sign-up', 'new-address', 'unconfirmed-reset'] as const;

/**
 * The purposes of mails that go only to the exact address of an account, and are counted for it. `sign-in`:
 * about a sign-in with another browser. `change`: about a request for another address, counted by account.
 */
export const purposesByAddress = ['reset', 'end-contract', 'sign-in', 'change'] as const;

export type MailPurpose = (typeof purposesByMailbox | typeof purposesByAddress)[number];
