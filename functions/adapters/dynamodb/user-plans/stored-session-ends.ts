import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { EndedSessions } from '../../../domain/ended-session.ts';
import { conditionHolds, dynamodb } from '../client.ts';

// Each has 36 characters. The row is read with every request. Above this number, the
// next one ends all sessions.
const MOST_ENDED = 50;

const Ends = z.object({ ended_sessions: z.optional(z.string()), sessions_ended_at: z.optional(z.number()) });

/** `SessionEnds.read`. */
export async function read(table: string, userId: string): Promise<EndedSessions | undefined> {
  const { Item } = await dynamodb.send(
    new GetCommand({
      TableName: table,
      Key: { id: userId },
      ProjectionExpression: 'ended_sessions, sessions_ended_at',
      ConsistentRead: true,
    }),
  );
  return Item && Ends.parse(Item);
}

/** `SessionEnds.noteOne`. */
export async function noteOne(table: string, row: UserPlan | undefined, session: string): Promise<boolean> {
  if (!row) return false;
  const before = row.ended_sessions;
  const after = [...new Set([...(before?.split(' ') ?? []), session])];
  if (after.length > MOST_ENDED) return false;
  return conditionHolds(() =>
    dynamodb.send(
      new UpdateCommand({
        TableName: table,
        Key: { id: row.id },
        UpdateExpression: 'SET ended_sessions = :after',
        // Equal to `:after`, because the SDK repeats the request if an answer is lost.
        ConditionExpression: `attribute_exists(id) AND (ended_sessions = :after OR ${before === undefined ? 'attribute_not_exists(ended_sessions)' : 'ended_sessions = :before'})`,
        ExpressionAttributeValues: {
          ':after': after.join(' '),
          ...(before !== undefined && { ':before': before }),
        },
      }),
    ),
  );
}

/** `SessionEnds.noteAll`. */
export async function noteAll(table: string, userId: string, now: Date): Promise<void> {
  await conditionHolds(() =>
    dynamodb.send(
      new UpdateCommand({
        TableName: table,
        Key: { id: userId },
        UpdateExpression: 'SET sessions_ended_at = :now REMOVE ended_sessions',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':now': Math.floor(now.getTime() / 1000) },
      }),
    ),
  );
}
