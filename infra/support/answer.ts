/** What a command has found, and what it would change. */
export interface Answer {
  lines: string[];
  /** Absent for a command that only reads, and where nothing is to be changed. */
  change?: Change;
}

export interface Change {
  /** The command's name. */
  action: string;
  /** Whom it is about, for the audit line: a `sub`, or `waitlist`. */
  id: string;
  /** What exactly is changed, for the audit line. No address. */
  detail: string;
  /** The command, without place and reason, that makes this very change. By default the same as before. */
  command?: string;
  /** Does it. Resolves with what is to be printed. */
  run: () => Promise<string[]>;
}
