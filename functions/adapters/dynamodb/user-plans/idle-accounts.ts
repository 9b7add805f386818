import { paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { UserPlan } from '../../../../schemas/rows/plan.ts';
import { inUse, type NextIdleStep } from '../../../domain/idle.ts';
import { conditionHolds, dynamodb } from '../client.ts';

/**
 * The `by_idle` index of the UserPlans table, and the writes that depend on it. Each write is refused if the
 * user has signed in since the row was read: a sign-in moves `idle_due_at`. Each method is one request unless
 * its comment says otherwise.
 */
export interface IdleAccounts {
  /** Ids of the rows of one shard whose next step is due by `until`, earliest first, page by page. */
  due(shard: number, until: Date): AsyncIterable<string[]>;
  /** Moves the next step of a row. Resolves with the updated row, or undefined if the write was refused. */
  move(row: UserPlan, to: NextIdleStep): Promise<UserPlan | undefined>;
  /**
   * Closes a row on Free until `until` (ISO 8601), as for a deletion. Resolves with the closed row, or
   * undefined if the write was refused: the user has signed in, or another plan was decided, since the row
   * was read.
   */
  close(row: UserPlan, until: string): Promise<UserPlan | undefined>;
  /** Ids of the rows that have no `idle_due_at`, page by page. Reads the whole table. */
  unscheduled(): AsyncIterable<string[]>;
  /** Starts the year of a row without `idle_due_at` at `now`. False if the row has that attribute. */
  schedule(id: string, now: Date): Promise<boolean>;
}

export function idleAccounts(table: string): IdleAccounts {
  const update = (request: Omit<ConstructorParameters<typeof UpdateCommand>[0], 'TableName'>) =>
    dynamodb.send(new UpdateCommand({ TableName: table, ...request }));

  return {
    async *due(shard, until) {
      const pages = paginateQuery(
        { client: dynamodb },
        {
          TableName: table,
          IndexName: 'by_idle',
          KeyConditionExpression: 'idle_shard = :shard AND idle_due_at <= :until',
          ExpressionAttributeValues: { ':shard': shard, ':until': until.toISOString() },
        },
      );
      for await (const { Items = [] } of pages) yield Items.map(({ id }) => String(id));
    },

    async move(row, to) {
      const isMoved = await conditionHolds(() => update({ Key: { id: row.id }, ...moving(row, to) }));
      return isMoved ? atNextStep(row, to) : undefined;
    },

    async close(row, until) {
      let closed: UserPlan | undefined;
      await conditionHolds(async () => {
        const { Attributes } = await update({
          Key: { id: row.id },
          UpdateExpression: 'SET closing_until = :until ADD #version :one',
          ConditionExpression:
            'idle_due_at = :due AND #plan = :free AND (#version = :before OR (attribute_not_exists(#version) AND :before = :unversioned))',
          ExpressionAttributeNames: { '#plan': 'plan', '#version': 'version' },
          ExpressionAttributeValues: {
            ':until': until,
            ':due': row.idle_due_at ?? '',
            ':free': 'free',
            ':before': row.version,
            ':unversioned': 0,
            ':one': 1,
          },
          // The customer and the checkout may have been stored since the row was read.
          ReturnValues: 'ALL_NEW',
        });
        closed = UserPlan.parse(Attributes);
      });
      return closed;
    },

    async *unscheduled() {
      // Imported on demand: an operator needs this once.
      const { scanUnscheduled } = await import('./idle-scan.ts');
      yield* scanUnscheduled(table);
    },

    schedule(id, now) {
      const { idle_due_at, idle_shard } = inUse(id, now);
      return conditionHolds(() =>
        update({
          Key: { id },
          UpdateExpression: 'SET idle_due_at = :due, idle_shard = :shard',
          ConditionExpression: 'attribute_exists(id) AND attribute_not_exists(idle_due_at)',
          ExpressionAttributeValues: { ':due': idle_due_at, ':shard': idle_shard },
        }),
      );
    },
  };
}

/** The update that writes a row's next step. */
const moving = ({ idle_due_at = '' }: UserPlan, { due, warnings, bouncedMail }: NextIdleStep) => ({
  UpdateExpression: `SET idle_due_at = :due, idle_warnings = :warnings${
    bouncedMail === undefined ? ' REMOVE idle_returned_mail' : ', idle_returned_mail = :mail'
  }`,
  ConditionExpression: 'idle_due_at = :before',
  ExpressionAttributeValues: {
    ':due': due,
    ':warnings': warnings,
    ':before': idle_due_at,
    ...(bouncedMail !== undefined && { ':mail': bouncedMail }),
  },
});

/** The row with its next step. */
function atNextStep(row: UserPlan, { due, warnings, bouncedMail }: NextIdleStep): UserPlan {
  const { idle_returned_mail: _, ...others } = row;
  return {
    ...others,
    idle_due_at: due,
    idle_warnings: warnings,
    ...(bouncedMail !== undefined && { idle_returned_mail: bouncedMail }),
  };
}
