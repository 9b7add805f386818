import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { inUse, isUseRecorded } from '../../../domain/idle.ts';
import { ifHolds, dynamodb, ex, expressions } from '../client.ts';

/** The part of a row that a token depends on. */
const UsedRow = z.object({ idle_due_at: z.optional(z.string()), address: z.optional(z.string()) });

// Milliseconds. The user waits for this, and Cognito gives up after five seconds.
const TIME_LIMIT = 1000;

/** The date in the table UserPlans that `functions/domain/idle.ts` counts from. */
export const accountUse = (table: string) => ({
  /**
   * Begins the account's idle year at `now`, at most once a day. Resolves with the row as it was, or was a
   * moment ago; undefined for a missing row. Reads first: an eventually consistent read costs a tenth of a
   * write, and most tokens are renewed many times a day.
   */
  async record(id: string, now: Date) {
    const limit = { abortSignal: AbortSignal.timeout(TIME_LIMIT) };
    const { Item } = await dynamodb.send(
      new GetCommand({ TableName: table, Key: { id }, ProjectionExpression: 'idle_due_at, address' }),
      limit,
    );
    const row = Item && UsedRow.parse(Item);
    if (row?.idle_due_at === undefined || isUseRecorded({ idle_due_at: row.idle_due_at }, now)) return row;
    const { idle_due_at, idle_shard } = inUse(id, now);
    const update = new UpdateCommand({
      TableName: table,
      Key: { id },
      ...expressions({
        UpdateExpression: ex`SET idle_due_at = ${idle_due_at}, idle_shard = ${idle_shard} REMOVE idle_warnings, idle_returned_mail`,
        // The row may be gone by now, or a later use recorded.
        ConditionExpression: ex`idle_due_at < ${idle_due_at}`,
      }),
    });
    await ifHolds(() => dynamodb.send(update, limit));
    return row;
  },
});
export type AccountUse = ReturnType<typeof accountUse>;
