import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Stripe } from 'stripe';
import { type OwnershipDependencies, claimAddress } from '../../../functions/accounts/address-ownership.ts';
import { unlessMissing } from '../../../functions/adapters/stripe/refusals.ts';
import { customerIdOf } from '../../../functions/domain/plan.ts';
import { isRemovalMark, removalMark } from '../../../functions/domain/removal-mark.ts';
import { UserPlan } from '../../../schemas/rows/plan.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { ownerIn } from '../../../functions/domain/mark.ts';
import type { AccountNames } from './pool-users.ts';

export interface MoveDependencies extends Pick<OwnershipDependencies, 'addresses'> {
  dynamodb: DynamoDBDocumentClient;
  stripe: Stripe;
  /** The stage in the mark of our objects at Stripe. */
  stage: string;
  plansTable: string;
  pool: Pick<OwnershipDependencies['pool'], 'find'>;
}

/** An account with another `sub` in a new pool. */
export interface Move {
  email: string;
  from: AccountNames;
  to: AccountNames;
}

/**
 * Moves the data under an account's earlier `sub` to the new one: first the names at Stripe, then the plan's
 * row, then the claim of the address. Safe to repeat after a crash at any step. Throws before any change if
 * another account has the address, or if the new account has bought.
 *
 * Address changes of the last seven days are left behind: their codes and undo links are lost.
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
  if (claim.kind !== 'claimed') throw new Error('Another account has claimed its address in the meantime.');
}

/** Throws if another account has claimed the address. */
async function requireFree({ addresses }: MoveDependencies, { email, from, to }: Move): Promise<void> {
  const owner = await addresses.ownerOf(email);
  if (owner === undefined || owner === from.username || owner === to.username) return;
  // The claim of another account, which is deleted because it was never confirmed.
  if (isRemovalMark(owner) && owner !== removalMark(to.username)) return;
  throw new Error(`Its address now belongs to ${owner}.`);
}

async function rowOf(
  { dynamodb, plansTable: TableName }: MoveDependencies,
  id: string,
): Promise<UserPlan | undefined> {
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { id }, ConsistentRead: true }));
  return Item && UserPlan.parse(Item);
}

/** Whether the row was made by a new sign-up, and its user hasn't bought anything since. */
const isReplaceable = ({ plan, billing_customer_id }: UserPlan): boolean =>
  plan === 'free' && billing_customer_id === undefined;

async function renameAtStripe(
  { stripe, stage }: MoveDependencies,
  row: UserPlan,
  { from, to }: Move,
): Promise<void> {
  const customerId = customerIdOf(row);
  const customer = customerId && (await unlessMissing(() => stripe.customers.retrieve(customerId)));
  if (!customer || customer.deleted || ownerIn(customer.metadata, stage).kind === 'foreign') return;
  const metadata = markOf(stage, to.sub);
  const namesUser = (object: { metadata: Stripe.Metadata | null }): boolean => {
    const owner = ownerIn(object.metadata, stage);
    return owner.kind !== 'foreign' && owner.userId === from.sub;
  };
  for await (const session of stripe.checkout.sessions.list({ customer: customer.id, status: 'open' })) {
    // A subscription from this session would name the earlier `sub`.
    if (namesUser(session)) await stripe.checkout.sessions.expire(session.id);
  }
  // Ended subscriptions are left out, which is Stripe's default.
  for await (const subscription of stripe.subscriptions.list({ customer: customer.id, limit: 100 })) {
    if (namesUser(subscription)) await stripe.subscriptions.update(subscription.id, { metadata });
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
            // The shards stay the same: they only have to spread the rows.
            Item: { ...kept, id: to.sub, version: row.version + 1 },
            // The same condition as `isReplaceable`.
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
