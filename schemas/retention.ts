/**
 * How long data are kept, as the terms, the privacy policy, the sweeps and the backups say. Apart from
 * product.ts, which every page loads.
 */
export const retention = {
  hoursToConfirm: 48,
  /** Until the last backup of a deleted account is gone. */
  daysOfBackups: 40,
} as const;
