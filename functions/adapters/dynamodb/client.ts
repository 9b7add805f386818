import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { QUICK } from '../request-limits.ts';

/** One client for all tables of a process. */
export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient(QUICK));

/** Makes a conditional write. Resolves with whether its condition held. */
export async function conditionHolds(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
