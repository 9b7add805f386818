import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** One client for all tables of a process. */
export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient());
