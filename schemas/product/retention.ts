/**
 * Periods that we promise, for the terms, the privacy policy, the sweeps and the backups. Kept apart from
 * product.ts, which every page loads.
 */
export const retention = {
  hoursToConfirm: 48,
  /** Days for which the link in a mail about a changed address or a linked provider takes it back. */
  daysToUndo: 7,
  /** Days until the last backup of a deleted account is gone. */
  daysOfBackups: 40,
  /** Days from the mail about a new price to the first charge at it. */
  daysOfPriceNotice: 30,
} as const;
