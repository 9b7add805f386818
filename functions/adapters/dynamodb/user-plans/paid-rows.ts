import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { PlanName } from '../../../../schemas/product/offers.ts';
import { UserPlan } from '../../../../schemas/rows/plan.ts';
import { dynamodb } from '../client.ts';

/** The rows on a paid plan by payment, page by page, in no order. Reads the whole table. */
export async function* paidRows(table: string): AsyncGenerator<UserPlan[]> {
  const pages = paginateScan(
    { client: dynamodb },
    {
      TableName: table,
      FilterExpression: '#plan <> :free AND attribute_exists(stripe_customer_id)',
      ExpressionAttributeNames: { '#plan': 'plan' },
      ExpressionAttributeValues: { ':free': 'free' satisfies PlanName },
    },
  );
  for await (const { Items = [] } of pages) yield Items.map((item) => UserPlan.parse(item));
}
