/**
 * The number of mails in a day (UTC) for each purpose, whoever asks. Every link in those mails works, so a
 * stranger who spends a count leaves the owner ten links.
 */
export const DAILY_MAILS = 10;

/** Days for which a complaint stops the mails that anybody can cause, unless somebody asks for one again. */
export const DAYS_OF_COMPLAINT = 365;

interface PurposeFacts {
  /**
   * `mailbox`: anybody can cause the mail, at any spelling of an address. `account`: the mail goes only to
   * the exact address of an account.
   */
  countedBy: 'mailbox' | 'account';
  /** Who can cause the mail. A complaint stops only what anybody can. */
  by: 'anybody' | 'user';
}

export const mailPurposes = {
  'sign-up': { countedBy: 'mailbox', by: 'anybody' },
  /** A reset of an account that was never confirmed. */
  'unconfirmed-reset': { countedBy: 'mailbox', by: 'anybody' },
  /** Proves the address that an account asks for, or tells its owner that somebody asked. */
  'new-address': { countedBy: 'mailbox', by: 'anybody' },
  reset: { countedBy: 'account', by: 'anybody' },
  'end-contract': { countedBy: 'account', by: 'anybody' },
  /** About a sign-in with another browser. */
  'sign-in': { countedBy: 'account', by: 'user' },
  /** About a request for another address, to the present one. */
  change: { countedBy: 'account', by: 'user' },
} as const satisfies Record<string, PurposeFacts>;

export type MailPurpose = keyof typeof mailPurposes;
