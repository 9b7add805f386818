import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { AppCode } from '../../../schemas/rows/app-code.ts';
import { conditionHolds, dynamodb } from './client.ts';

/** The AppCodes table: the codes that apps haven't redeemed yet. */
export interface AppCodesTable {
  /** False, and nothing changes, if the same code exists. */
  add(code: AppCode): Promise<boolean>;
  /**
   * Takes a code that has not expired and went to this address. Among concurrent calls, one gets it. Any
   * other code stays as it is.
   */
  take(codeHash: string, redirectUri: string, now: Date): Promise<AppCode | undefined>;
}

export const appCodesTable = (table: string): AppCodesTable => ({
  add: (code) =>
    conditionHolds(() =>
      dynamodb.send(
        new PutCommand({
          TableName: table,
          Item: code,
          ConditionExpression: 'attribute_not_exists(code_hash)',
        }),
      ),
    ),

  async take(codeHash, redirectUri, now) {
    let taken: Record<string, unknown> | undefined;
    await conditionHolds(async () => {
      const { Attributes } = await dynamodb.send(
        new DeleteCommand({
          TableName: table,
          Key: { code_hash: codeHash },
          ConditionExpression: 'redirect_uri = :address AND expires_at > :now',
          ExpressionAttributeValues: { ':address': redirectUri, ':now': now.getTime() / 1000 },
          ReturnValues: 'ALL_OLD',
        }),
      );
      taken = Attributes;
    });
    return taken && AppCode.parse(taken);
  },
});
