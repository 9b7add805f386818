import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { dynamodb, ex, expressions } from '../../../functions/adapters/dynamodb/client.ts';
import { Timestamp } from '../../../schemas/rows/plan.ts';

/** A record of a change by support. It refers to users by their `sub`, never by address. */
export const AuditLine = z.object({
  /** The account's `sub`, `waitlist`, or for a deployment the stack's name. */
  id: z.string(),
  /** Sort key: the time, the run, and the state. */
  at: z.string(),
  time: Timestamp,
  /** The id that the two lines of a run share. */
  run: z.string(),
  /** Each run writes `begun` before any change, and `done` or `failed` afterwards. */
  state: z.enum(['begun', 'done', 'failed']),
  /** The caller's ARN, or the user of a local machine. */
  who: z.string(),
  action: z.string(),
  /** The exact change, such as the end of a plan or an amount. */
  detail: z.string(),
  reason: z.string(),
  /** The error, if the run failed. */
  failure: z.optional(z.string()),
});
export type AuditLine = z.infer<typeof AuditLine>;

export interface AuditTrail {
  /** Adds a line. Never replaces a line. */
  add(line: Omit<AuditLine, 'at'>): Promise<void>;
  /** The newest lines about an account, newest first. */
  about(id: string): Promise<AuditLine[]>;
}

const SHOWN = 20;

export const auditTrail = (table: string, client: DynamoDBDocumentClient = dynamodb): AuditTrail => ({
  async add(line) {
    const item: AuditLine = { ...line, at: `${line.time}#${line.run}#${line.state}` };
    await client.send(
      new PutCommand({ TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(id)' }),
    );
  },

  async about(id) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        ...expressions({ KeyConditionExpression: ex`id = ${id}` }),
        ScanIndexForward: false,
        Limit: SHOWN,
      }),
    );
    return Items.map((item) => AuditLine.parse(item));
  },
});
