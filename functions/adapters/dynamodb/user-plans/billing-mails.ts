import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { conditionHolds, dynamodb } from '../client.ts';

/** The part of a UserPlans row that says what the user was told about the plan. Each method is a request. */
export interface BillingMails {
  /**
   * Gives one caller the turn to mail the user, until `turn`: a time (ISO 8601) and a random text after it.
   * `telling`: the states that the user may know once a mail is sent, as JSON. False while another caller
   * has the turn, and if the row is no longer what was read.
   */
  claim(row: UserPlan, mail: { turn: string; telling: string }, now: Date): Promise<boolean>;
  /**
   * Stores what the user was told, as JSON. `telling`: the same as at `claim`, for the next mail; undefined
   * ends the turn. Does nothing if the turn is over.
   */
  told(id: string, told: string, next: { turn: string; telling: string | undefined }): Promise<void>;
}

export const billingMails = (table: string): BillingMails => ({
  claim: (row, { turn, telling }, now) =>
    conditionHolds(() =>
      dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id: row.id },
          UpdateExpression: 'SET billing_notice_lease = :turn, billing_maybe_notified = :telling',
          // Equal to `:turn`, because the SDK repeats the request if an answer is lost.
          ConditionExpression:
            'billing_seen = :seen AND billing_notified = :told AND (attribute_not_exists(billing_notice_lease) OR billing_notice_lease <= :now OR billing_notice_lease = :turn)',
          ExpressionAttributeValues: {
            ':turn': turn,
            ':telling': telling,
            ':seen': row.billing_seen,
            ':told': row.billing_notified,
            ':now': now.toISOString(),
          },
        }),
      ),
    ),

  async told(id, told, { turn, telling }) {
    await conditionHolds(() =>
      dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id },
          UpdateExpression:
            telling === undefined
              ? 'SET billing_notified = :told REMOVE billing_notice_lease, billing_maybe_notified'
              : 'SET billing_notified = :told, billing_maybe_notified = :telling',
          ConditionExpression: 'billing_notice_lease = :turn',
          ExpressionAttributeValues: {
            ':told': told,
            ':turn': turn,
            ...(telling !== undefined && { ':telling': telling }),
          },
        }),
      ),
    );
  },
});
