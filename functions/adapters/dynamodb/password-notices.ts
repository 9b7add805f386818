/** Time of the last mail about a changed password: an attribute of the user's row in UserPlans. */
export interface PasswordNotices {
  /**
   * Whether the mail is due now. If so, it counts as sent. False within five minutes of an earlier mail.
   * Always true for a user without a row. One request.
   */
  claim(userId: string, now: Date): Promise<boolean>;
}

export const passwordNotices = (table: string): PasswordNotices => ({
  async claim(userId, now) {
    // Imported on demand: a wrong password needs no table.
    const { claimPasswordNotice } = await import('./claim-password-notice.ts');
    return claimPasswordNotice(table, userId, now);
  },
});
