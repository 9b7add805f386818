import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { PlanName } from '../../../../schemas/product/offers.ts';
import { UserPlan } from '../../../../schemas/rows/plan.ts';
import { dynamodb } from '../client.ts';

/** A page of rows, and the id after which the next page begins. */
export interface PageOfRows {
  rows: UserPlan[];
  next: string | undefined;
}

/** The rows on a paid plan by payment, in DynamoDB's order, after the row `after`. Reads the whole table. */
export async function* paidRows(table: string, after?: string): AsyncIterable<PageOfRows> {
  const pages = paginateScan(
    { client: dynamodb, ...(after !== undefined && { startingToken: { id: after } }) },
    {
      TableName: table,
      FilterExpression: '#plan <> :free AND attribute_exists(stripe_customer_id)',
      ExpressionAttributeNames: { '#plan': 'plan' },
      ExpressionAttributeValues: { ':free': 'free' satisfies PlanName },
    },
  );
  for await (const { Items = [], LastEvaluatedKey } of pages) {
    yield {
      rows: Items.map((item) => UserPlan.parse(item)),
      next: LastEvaluatedKey?.['id'] as string | undefined,
    };
  }
}
