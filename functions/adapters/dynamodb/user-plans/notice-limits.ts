import type { LimitedNotice } from '../../../domain/limited-notice.ts';

/** Times of the last mails about an account: attributes of the user's row in UserPlans. */
export interface NoticeLimits {
  /**
   * Whether the mail is due now. If so, it counts as sent. False within five minutes of an earlier mail of
   * this kind. Always true for a user without a row. One request.
   */
  claim(notice: LimitedNotice, userId: string, now: Date): Promise<boolean>;
}

export const noticeLimits = (table: string): NoticeLimits => ({
  async claim(notice, userId, now) {
    // Imported on demand: a wrong password needs no table.
    const { claimNotice } = await import('./claim-notice.ts');
    return claimNotice(table, { notice, userId }, now);
  },
});
