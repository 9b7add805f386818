import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Stripe } from 'stripe';
import { type AddressDependencies, claimAddress } from '../../functions/accounts/claim-address.ts';
import { unlessMissing } from '../../functions/adapters/stripe/refusals.ts';
import { customerIdOf } from '../../functions/domain/plan.ts';
import { isRemovalMark, removalMark } from '../../functions/domain/removal-mark.ts';
import { UserPlan } from '../../schemas/plan.ts';
import type { AccountNames } from './pool-users.ts';

export interface MoveDependencies extends Pick<AddressDependencies, 'addresses'> {
  dynamodb: DynamoDBDocumentClient;
  stripe: Stripe;
  plansTable: string;
  pool: Pick<AddressDependencies['pool'], 'find'>;
}

/** An account that has another `sub` in a new pool. */
export interface Move {
  email: string;
  from: AccountNames;
  to: AccountNames;
}

/**
 * Moves what is kept under an account's earlier `sub` to the new one: first the names at Stripe, then the row
 * of the plan, then the claim of the address. Safe to repeat after a crash at any step. Throws before it
 * changes anything if another account has the address, or if the new account has bought.
 *
 * Changes of address of the last seven days stay behind: their codes and their links to undo are lost.
 */
export async function moveAccount(dependencies: MoveDependencies, move: Move): Promise<void> {
  const { from, to, email } = move;
  await requireFree(dependencies, move);
  const row = from.sub === to.sub ? undefined : await rowOf(dependencies, from.sub);
  if (row) {
    const present = await rowOf(dependencies, to.sub);
    if (present && !isReplaceable(present)) {
      throw new Error(
        `Its account in the pool, ${to.sub}, has bought since. Which plan it has is left to you.`,
      );
    }
    await renameAtStripe(dependencies, row, move);
    await moveRow(dependencies, row, move);
  }
  const claim = await claimAddress(dependencies, email, to.username);
  if (claim.kind !== 'claimed') throw new Error('Another account has got its address meanwhile.');
}

/** Throws if another account has claimed the address. */
async function requireFree({ addresses }: MoveDependencies, { email, from, to }: Move): Promise<void> {
  const owner = await addresses.ownerOf(email);
  if (owner === undefined || owner === from.username || owner === to.username) return;
  // Of another account, which is deleted as never confirmed.
  if (isRemovalMark(owner) && owner !== removalMark(to.username)) return;
  throw new Error(`Its address belongs to ${owner} by now.`);
}

async function rowOf(
  { dynamodb, plansTable: TableName }: MoveDependencies,
  id: string,
): Promise<UserPlan | undefined> {
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { id }, ConsistentRead: true }));
  return Item && UserPlan.parse(Item);
}

/** Whether it is the row that a new sign-up has made, and its user has bought nothing since. */
const isReplaceable = ({ plan, billing_customer_id }: UserPlan): boolean =>
  plan === 'free' && billing_customer_id === undefined;

async function renameAtStripe(
  { stripe }: MoveDependencies,
  row: UserPlan,
  { from, to }: Move,
): Promise<void> {
  const customerId = customerIdOf(row);
  const customer = customerId && (await unlessMissing(() => stripe.customers.retrieve(customerId)));
  if (!customer || customer.deleted) return;
  const metadata = { user_id: to.sub };
  for await (const session of stripe.checkout.sessions.list({ customer: customer.id, status: 'open' })) {
    // Its subscription would name the earlier `sub`.
    await stripe.checkout.sessions.expire(session.id);
  }
  // Without ended ones, which Stripe leaves out by default.
  for await (const subscription of stripe.subscriptions.list({ customer: customer.id, limit: 100 })) {
    if (subscription.metadata['user_id'] === from.sub) {
      await stripe.subscriptions.update(subscription.id, { metadata });
    }
  }
  await stripe.customers.update(customer.id, { metadata });
}

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
            // As `isReplaceable`.
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
