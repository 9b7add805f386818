import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { conditionHolds, dynamodb } from './client.ts';

/** The part of a UserPlans row that says what the user was told about the plan. Each method is a request. */
export interface BillingMails {
  /**
   * Gives one caller the turn to mail the user, until `turn`: a time (ISO 8601) and a random text after it.
   * False while another caller has the turn, and if the row is no longer what was read.
   */
  claim(row: UserPlan, turn: string, now: Date): Promise<boolean>;
  /**
   * Stores what the user was told, as JSON. `endsTurn`: there is nothing more to tell. Does nothing if the
   * turn is over.
   */
  told(id: string, told: string, turn: { turn: string; endsTurn: boolean }): Promise<void>;
  /** Stores that a mail about a new price bounced. Does nothing without a row. */
  priceNoticeBounced(id: string, at: Date): Promise<void>;
}

export const billingMails = (table: string): BillingMails => ({
  claim: (row, turn, now) =>
    conditionHolds(() =>
      dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id: row.id },
          UpdateExpression: 'SET billing_telling_until = :turn',
          // Equal to `:turn`, because the SDK repeats the request if an answer is lost.
          ConditionExpression:
            'billing_seen = :seen AND billing_told = :told AND (attribute_not_exists(billing_telling_until) OR billing_telling_until <= :now OR billing_telling_until = :turn)',
          ExpressionAttributeValues: {
            ':turn': turn,
            ':seen': row.billing_seen,
            ':told': row.billing_told,
            ':now': now.toISOString(),
          },
        }),
      ),
    ),

  async told(id, told, { turn, endsTurn }) {
    await conditionHolds(() =>
      dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id },
          UpdateExpression: `SET billing_told = :told${endsTurn ? ' REMOVE billing_telling_until' : ''}`,
          ConditionExpression: 'billing_telling_until = :turn',
          ExpressionAttributeValues: { ':told': told, ':turn': turn },
        }),
      ),
    );
  },

  async priceNoticeBounced(id, at) {
    await conditionHolds(() =>
      dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id },
          UpdateExpression: 'SET price_notice_bounced_at = :at',
          ConditionExpression: 'attribute_exists(id)',
          ExpressionAttributeValues: { ':at': at.toISOString() },
        }),
      ),
    );
  },
});
