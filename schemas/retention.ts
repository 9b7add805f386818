/**
 * Retention periods, for the terms, the privacy policy, the sweeps and the backups. Kept apart from
 * product.ts, which every page loads.
 */
export const retention = {
  hoursToConfirm: 48,
  /** Days until the last backup of a deleted account is gone. */
  daysOfBackups: 40,
} as const;
