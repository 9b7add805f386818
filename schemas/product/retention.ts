/** Periods that we promise. Kept apart from product.ts, which every page loads. */
export const retention = {
  hoursToConfirm: 48,
  /** Days after which a change of address needs no approval from the old mailbox. */
  daysToApprove: 7,
  /** Days until the last backup of a deleted account is gone. */
  daysOfBackups: 40,
  /** Days from the mail about a new price to the first charge at it. */
  daysOfPriceNotice: 30,
} as const;
