import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { UserPlan } from '../../../../schemas/rows/plan.ts';
import { customerIdOf } from '../../../domain/plan.ts';
import { dynamodb } from '../client.ts';

export interface CustomersPage {
  customers: { userId: string; customerId: string }[];
  /** The start of the next page. Undefined on the last page. */
  next: string | undefined;
}

// The rows that DynamoDB reads for a page. With eight customers at a time, a page is done within five minutes
// even if Stripe takes its longest for each (three tries of eight seconds).
const PAGE = 100;

const Row = z.pick(UserPlan, { id: true, billing_customer_id: true, stripe_customer_id: true });

/** The pages of `PlansTable.customers`. */
export async function* scanCustomers(
  table: string,
  after: string | undefined,
): AsyncGenerator<CustomersPage> {
  let next = after;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new ScanCommand({
        TableName: table,
        Limit: PAGE,
        FilterExpression: 'attribute_exists(billing_customer_id) OR attribute_exists(stripe_customer_id)',
        ProjectionExpression: 'id, billing_customer_id, stripe_customer_id',
        ...(next !== undefined && { ExclusiveStartKey: { id: next } }),
      }),
    );
    next = LastEvaluatedKey && String(LastEvaluatedKey['id']);
    const customers = Items.flatMap((item) => {
      const row = Row.parse(item);
      const customerId = customerIdOf(row);
      return customerId === undefined ? [] : [{ userId: row.id, customerId }];
    });
    yield { customers, next };
  } while (next !== undefined);
}
