import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { PASSWORD_MAIL_INTERVAL } from '../../domain/password-mail-interval.ts';
import { dynamodb } from './client.ts';

/** `PasswordNotices.claim`. */
export async function claimPasswordNotice(table: string, userId: string, now: Date): Promise<boolean> {
  try {
    await dynamodb.send(
      new UpdateCommand({
        TableName: table,
        Key: { id: userId },
        UpdateExpression: 'SET password_mail_at = :now',
        // Equal to `:now`, because the SDK repeats the request if an answer is lost.
        ConditionExpression:
          'attribute_exists(id) AND (attribute_not_exists(password_mail_at) OR password_mail_at <= :before OR password_mail_at = :now)',
        ExpressionAttributeValues: {
          ':now': now.toISOString(),
          ':before': new Date(now.getTime() - PASSWORD_MAIL_INTERVAL).toISOString(),
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
