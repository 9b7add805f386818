import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { NextIdleStep } from '../../../domain/idle.ts';
import { dynamodb, ex, idsIn, update, updated } from '../client.ts';
import { hasVersion } from './plans-table.ts';

/**
 * The `by_idle` index of UserPlans, and the writes that depend on it: refused if the user has signed in since
 * the row was read, which moves `idle_due_at`. Each method is one request.
 */
export const idleAccounts = (table: string) => ({
  /** The number of all rows, as DynamoDB last counted them: up to six hours ago. */
  async count() {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: table }));
    return Table?.ItemCount ?? 0;
  },

  /** Ids of the rows of one shard whose next step is due by `until`, earliest first, page by page. */
  due: (shard: number, until: Date): AsyncIterable<string[]> =>
    idsIn(table, 'by_idle', ex`idle_shard = ${shard} AND idle_due_at <= ${until.toISOString()}`),

  /** Moves the next step of a row. Resolves with the updated row, or undefined if the write was refused. */
  async move(row: UserPlan, to: NextIdleStep) {
    const { due, warnings, bouncedMail } = to;
    const mail =
      bouncedMail === undefined ? ex` REMOVE idle_returned_mail` : ex`, idle_returned_mail = ${bouncedMail}`;
    const isMoved = await update(
      table,
      { id: row.id },
      ex`SET idle_due_at = ${due}, idle_warnings = ${warnings}${mail}`,
      ex`idle_due_at = ${row.idle_due_at ?? ''}`,
    );
    return isMoved ? atNextStep(row, to) : undefined;
  },

  /**
   * Closes a row on Free until `until` (ISO 8601), as for a deletion. Resolves with the closed row; undefined
   * if the user has signed in, or another plan was decided, since the row was read.
   */
  async close({ id, idle_due_at = '', version }: UserPlan, until: string) {
    // The customer and the checkout may have been stored since the row was read.
    const closed = await updated(
      table,
      { id },
      ex`SET closing_until = ${until} ADD #version ${1}`,
      ex`idle_due_at = ${idle_due_at} AND #plan = ${'free'} AND (${hasVersion(version)})`,
    );
    return closed && UserPlan.parse(closed);
  },
});
export type IdleAccounts = ReturnType<typeof idleAccounts>;

function atNextStep(row: UserPlan, { due, warnings, bouncedMail }: NextIdleStep): UserPlan {
  const { idle_returned_mail: _, ...others } = row;
  return {
    ...others,
    idle_due_at: due,
    idle_warnings: warnings,
    ...(bouncedMail !== undefined && { idle_returned_mail: bouncedMail }),
  };
}
