import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type LimitedNotice, NOTICE_INTERVAL } from '../../../domain/limited-notice.ts';
import { dynamodb } from '../client.ts';

/** `NoticeLimits.claim`. */
export async function claimNotice(
  table: string,
  { notice, userId }: { notice: LimitedNotice; userId: string },
  now: Date,
): Promise<boolean> {
  try {
    await dynamodb.send(
      new UpdateCommand({
        TableName: table,
        Key: { id: userId },
        UpdateExpression: 'SET #mailed = :now',
        // Equal to `:now`, because the SDK repeats the request if an answer is lost.
        ConditionExpression:
          'attribute_exists(id) AND (attribute_not_exists(#mailed) OR #mailed <= :before OR #mailed = :now)',
        ExpressionAttributeNames: { '#mailed': `${notice}_mail_at` },
        ExpressionAttributeValues: {
          ':now': now.toISOString(),
          ':before': new Date(now.getTime() - NOTICE_INTERVAL).toISOString(),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return error.Item === undefined;
    throw error;
  }
}
