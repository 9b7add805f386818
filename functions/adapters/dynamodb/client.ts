import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** One client a process, for every table. */
export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient());
