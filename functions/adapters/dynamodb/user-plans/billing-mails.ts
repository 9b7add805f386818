import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { ex, update } from '../client.ts';

/** The part of a UserPlans row that says what the user was notified of. Each method is a request. */
export interface BillingMails {
  /**
   * Gives one caller the lease to mail the user, until `lease`: a time (ISO 8601) and a random text after it.
   * `maybeNotified`: the states that the user may know once a mail is sent, as JSON. False while another
   * caller has the lease, and if the row is no longer what was read.
   */
  claim(row: UserPlan, mail: { lease: string; maybeNotified: string }, now: Date): Promise<boolean>;
  /**
   * Stores what the user was notified of, as JSON. `maybeNotified`: the same as at `claim`, for the next
   * mail; undefined ends the lease. Does nothing if the lease is over.
   */
  store(
    id: string,
    notified: string,
    next: { lease: string; maybeNotified: string | undefined },
  ): Promise<void>;
}

export const billingMails = (table: string): BillingMails => ({
  claim({ id, billing_seen, billing_notified }, { lease, maybeNotified }, now) {
    // Equal to the lease, because the SDK repeats the request if an answer is lost.
    const isFree = ex`attribute_not_exists(billing_notice_lease) OR billing_notice_lease <= ${now.toISOString()} OR billing_notice_lease = ${lease}`;
    return update(
      table,
      { id },
      ex`SET billing_notice_lease = ${lease}, billing_maybe_notified = ${maybeNotified}`,
      ex`billing_seen = ${billing_seen} AND billing_notified = ${billing_notified} AND (${isFree})`,
    );
  },

  async store(id, notified, { lease, maybeNotified }) {
    const next =
      maybeNotified === undefined
        ? ex` REMOVE billing_notice_lease, billing_maybe_notified`
        : ex`, billing_maybe_notified = ${maybeNotified}`;
    await update(
      table,
      { id },
      ex`SET billing_notified = ${notified}${next}`,
      ex`billing_notice_lease = ${lease}`,
    );
  },
});
