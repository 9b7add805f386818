/** The findings of a command, and the change that it would make. */
export interface Findings {
  lines: string[];
  /** Absent for a command that only reads, and if there is nothing to change. */
  change?: Change;
}

export interface Change {
  /** The command's name. */
  action: string;
  /** The subject of the change, for the audit line: a `sub`, or a deployed stack. */
  id: string;
  /** The exact change, for the audit line, without any address. */
  detail: string;
  /** Makes the change. Resolves with the lines to print. */
  run: () => Promise<string[]>;
}
