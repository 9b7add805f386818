import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../client.ts';

/** The pages of `IdleAccounts.unscheduled`. */
export async function* scanUnscheduled(table: string): AsyncGenerator<string[]> {
  const pages = paginateScan(
    { client: dynamodb },
    {
      TableName: table,
      FilterExpression: 'attribute_not_exists(idle_due_at)',
      ProjectionExpression: 'id',
    },
  );
  for await (const { Items = [] } of pages) yield Items.map(({ id }) => String(id));
}
