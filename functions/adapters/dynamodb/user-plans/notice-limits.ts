import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb, ex, expressions } from '../client.ts';

// Milliseconds. A burst of changes causes one mail, and a thief's change after the owner's own another.
const INTERVAL = 5 * 60_000;

/** Times of the last mails about an account: attributes of the user's row in UserPlans. */
export const noticeLimits = (table: string) => ({
  /** False within five minutes of an earlier mail of this kind. Else true, and counted if there is a row. */
  async claim(notice: 'password' | 'cancel', userId: string, now: Date) {
    const mailed = ex([`${notice}_mail_at`]);
    const before = new Date(now.getTime() - INTERVAL).toISOString();
    const at = now.toISOString();
    // Equal to the new time, because the SDK repeats the request if an answer is lost.
    const isDue = ex`attribute_not_exists(${mailed}) OR ${mailed} <= ${before} OR ${mailed} = ${at}`;
    try {
      await dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id: userId },
          ...expressions({
            UpdateExpression: ex`SET ${mailed} = ${at}`,
            ConditionExpression: ex`attribute_exists(id) AND (${isDue})`,
          }),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return error.Item === undefined;
      throw error;
    }
  },
});
export type NoticeLimits = ReturnType<typeof noticeLimits>;
