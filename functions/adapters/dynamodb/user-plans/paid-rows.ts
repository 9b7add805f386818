import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { UserPlan } from '../../../../schemas/rows/plan.ts';
import { dynamodb } from '../client.ts';

/** The rows on Plus by payment, page by page, in no order. Reads the whole table. */
export async function* paidRows(table: string): AsyncGenerator<UserPlan[]> {
  const pages = paginateScan(
    { client: dynamodb },
    {
      TableName: table,
      FilterExpression: '#plan = :plus AND attribute_exists(stripe_customer_id)',
      ExpressionAttributeNames: { '#plan': 'plan' },
      ExpressionAttributeValues: { ':plus': 'plus' },
    },
  );
  for await (const { Items = [] } of pages) yield Items.map((item) => UserPlan.parse(item));
}
