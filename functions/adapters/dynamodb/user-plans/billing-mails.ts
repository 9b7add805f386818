import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { conditionHolds, dynamodb } from '../client.ts';

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
  claim: (row, { lease, maybeNotified }, now) =>
    conditionHolds(() =>
      dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id: row.id },
          UpdateExpression: 'SET billing_notice_lease = :lease, billing_maybe_notified = :maybeNotified',
          // Equal to `:lease`, because the SDK repeats the request if an answer is lost.
          ConditionExpression:
            'billing_seen = :seen AND billing_notified = :notified AND (attribute_not_exists(billing_notice_lease) OR billing_notice_lease <= :now OR billing_notice_lease = :lease)',
          ExpressionAttributeValues: {
            ':lease': lease,
            ':maybeNotified': maybeNotified,
            ':seen': row.billing_seen,
            ':notified': row.billing_notified,
            ':now': now.toISOString(),
          },
        }),
      ),
    ),

  async store(id, notified, { lease, maybeNotified }) {
    await conditionHolds(() =>
      dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id },
          UpdateExpression:
            maybeNotified === undefined
              ? 'SET billing_notified = :notified REMOVE billing_notice_lease, billing_maybe_notified'
              : 'SET billing_notified = :notified, billing_maybe_notified = :maybeNotified',
          ConditionExpression: 'billing_notice_lease = :lease',
          ExpressionAttributeValues: {
            ':notified': notified,
            ':lease': lease,
            ...(maybeNotified !== undefined && { ':maybeNotified': maybeNotified }),
          },
        }),
      ),
    );
  },
});
