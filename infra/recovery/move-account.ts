import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Stripe } from 'stripe';
import { UserPlan } from '../../schemas/plan.ts';
import type { PoolAccount } from './pool-users.ts';

export interface MoveDependencies {
  dynamodb: DynamoDBDocumentClient;
  stripe: Stripe;
  plansTable: string;
  addressesTable: string;
}

/** An account that has another `sub` in a new pool. */
export interface Move {
  email: string;
  from: PoolAccount;
  to: PoolAccount;
}

/**
 * Moves what is kept under an account's earlier `sub` to the new one: first the names at Stripe, then the row
 * of the plan, then the claim of the address. Safe to repeat after a crash at any step.
 *
 * Changes of address of the last seven days stay behind: their codes and their links to undo are lost.
 */
export async function moveAccount(dependencies: MoveDependencies, move: Move): Promise<void> {
  const { dynamodb, plansTable: TableName } = dependencies;
  if (move.from.sub !== move.to.sub) {
    const { Item } = await dynamodb.send(
      new GetCommand({ TableName, Key: { id: move.from.sub }, ConsistentRead: true }),
    );
    const row = Item && UserPlan.parse(Item);
    if (row) {
      await renameAtStripe(dependencies, row, move);
      await moveRow(dependencies, row, move);
    }
  }
  await claim(dependencies, move);
}

async function renameAtStripe(
  { stripe }: MoveDependencies,
  row: UserPlan,
  { from, to }: Move,
): Promise<void> {
  const customerId = row.billing_customer_id ?? row.stripe_customer_id;
  if (customerId === undefined || (await stripe.customers.retrieve(customerId)).deleted) return;
  const metadata = { user_id: to.sub };
  for await (const session of stripe.checkout.sessions.list({ customer: customerId, status: 'open' })) {
    // Its subscription would name the earlier `sub`.
    await stripe.checkout.sessions.expire(session.id);
  }
  // Without ended ones, which Stripe leaves out by default.
  for await (const subscription of stripe.subscriptions.list({ customer: customerId, limit: 100 })) {
    if (subscription.metadata['user_id'] === from.sub) {
      await stripe.subscriptions.update(subscription.id, { metadata });
    }
  }
  await stripe.customers.update(customerId, { metadata });
}

/** The row that a new sign-up has made is replaced, unless its user has bought since. */
async function moveRow(
  { dynamodb, plansTable: TableName }: MoveDependencies,
  row: UserPlan,
  { from, to }: Move,
): Promise<void> {
  const { checkout_session_id: _, ...kept } = row;
  await dynamodb.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Put: {
            TableName,
            // The shards stay: they only have to spread the rows.
            Item: { ...kept, id: to.sub, version: row.version + 1 },
            ConditionExpression:
              'attribute_not_exists(id) OR (#plan = :free AND attribute_not_exists(billing_customer_id))',
            ExpressionAttributeNames: { '#plan': 'plan' },
            ExpressionAttributeValues: { ':free': 'free' },
          },
        },
        { Delete: { TableName, Key: { id: from.sub } } },
      ],
    }),
  );
}

async function claim(
  { dynamodb, addressesTable }: MoveDependencies,
  { email, from, to }: Move,
): Promise<void> {
  await dynamodb.send(
    new PutCommand({
      TableName: addressesTable,
      // Only ASCII capitals, as the functions write it.
      Item: { email: email.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase()), owner: to.username },
      ConditionExpression: 'attribute_not_exists(email) OR #owner IN (:from, :to)',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':from': from.username, ':to': to.username },
    }),
  );
}
