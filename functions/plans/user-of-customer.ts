import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { PlansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { customerIdOf } from '../domain/plan.ts';
import { log } from '../runtime/log.ts';

interface Dependencies {
  planTable: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'ownerOf' | 'markCustomer'>;
}

/**
 * The user of a customer; undefined if the customer isn't ours. The customer's mark decides. A customer
 * without a mark is ours only if the row of a user names it, and then gets the mark.
 *
 * `userId`: the user named by another mark, such as the subscription's. `unmarkedUserId`: the user named by
 * an object without a mark, which proves nothing by itself.
 */
export async function userOfCustomer(
  { planTable, billing }: Dependencies,
  {
    customerId,
    userId,
    unmarkedUserId,
  }: { customerId: string; userId: string | undefined; unmarkedUserId?: string | undefined },
): Promise<string | undefined> {
  const owner = await billing.ownerOf(customerId);
  if (owner?.kind === 'foreign') return undefined;
  if (owner?.kind === 'ours' && owner.userId !== undefined) return owner.userId;
  for (const named of new Set([owner?.userId, userId, unmarkedUserId])) {
    const row = named === undefined ? undefined : await planTable.read(named);
    if (!isCustomerOf(row, customerId)) continue;
    if (owner) await markCustomer(billing, { userId: row.id, customerId });
    return row.id;
  }
  return userId;
}

/** Whether the row names the customer. */
export const isCustomerOf = (row: UserPlan | undefined, customerId: string): row is UserPlan =>
  row !== undefined && customerIdOf(row) === customerId;

/** Marks a customer from before the mark. A failure is only logged: the next renewal tries again. */
export async function markCustomer(
  billing: Pick<Billing, 'markCustomer'>,
  { userId, customerId }: { userId: string; customerId: string },
): Promise<void> {
  try {
    await billing.markCustomer(customerId, userId);
  } catch (error) {
    log.error('customer-not-marked', { user: userId, customer: customerId }, error);
  }
}
