import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { ex, type Expression, update } from '../client.ts';

/** The part of a UserPlans row that says what the user was notified of. Each method is a request. */
export const billingMails = (table: string) => ({
  /**
   * Gives one caller the lease to mail the user, until `lease`: a time (ISO 8601) and a random text after it.
   * `maybeNotified`: what the user may know once a mail is sent, as JSON. False while another caller has the
   * lease, and if the row has another plan than `row`, says that the user was mailed since, or is being
   * deleted: a deletion that fails leaves an account that has paid.
   */
  claim(row: UserPlan, { lease, maybeNotified }: { lease: string; maybeNotified: string }, now: Date) {
    // Equal to the lease, because the SDK repeats the request if an answer is lost.
    const isFree = ex`attribute_not_exists(billing_notice_lease) OR billing_notice_lease <= ${now.toISOString()} OR billing_notice_lease = ${lease}`;
    const isSame = [
      has('plan', row.plan),
      has('plan_expires_at', row.plan_expires_at),
      has('stripe_subscription_id', row.stripe_subscription_id),
      has('billing_notified', row.billing_notified),
    ].reduce((all, each) => ex`${all} AND ${each}`);
    const isOpen = ex`attribute_not_exists(closing_until) OR closing_until <= ${now.toISOString()}`;
    return update(
      table,
      { id: row.id },
      ex`SET billing_notice_lease = ${lease}, billing_maybe_notified = ${maybeNotified}`,
      ex`${isSame} AND (${isFree}) AND (${isOpen})`,
    );
  },

  /**
   * Stores what the user was notified of, as JSON. `maybeNotified`: the same as at `claim`, for the next
   * mail; undefined ends the lease. Does nothing if the lease is over.
   */
  async store(
    id: string,
    notified: string,
    { lease, maybeNotified }: { lease: string; maybeNotified: string | undefined },
  ) {
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
export type BillingMails = ReturnType<typeof billingMails>;

const has = (attribute: string, value: string | undefined): Expression =>
  value === undefined ? ex([`attribute_not_exists(#${attribute})`]) : ex([`#${attribute} = `, ''], value);
