import type { Uses } from '../adapters/adapters.ts';

/** The user by the customer's mark, else `userId`, by the subscription's. Undefined if it is foreign. */
export async function userOfCustomer(
  { billing }: Uses<'billing'>,
  { customerId, userId }: { customerId: string; userId: string | undefined },
): Promise<string | undefined> {
  const owner = await billing.ownerOf(customerId);
  if (owner?.kind === 'foreign') return undefined;
  return owner?.kind === 'ours' && owner.userId !== undefined ? owner.userId : userId;
}
