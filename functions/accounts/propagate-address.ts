import type { Uses } from '../adapters/adapters.ts';
import { enqueueTask } from '../tasks/enqueue-task.ts';
import { attempt } from '../runtime/attempt.ts';
import { releaseAddress } from './address-ownership.ts';

export type PropagationDependencies = Uses<'addresses' | 'waitlist' | 'billing' | 'tasks'>;

/**
 * Propagates the new address of an account: releases the earlier address, and writes the new address to the
 * waitlist entry and to the Stripe customer. Never throws, since the address is already changed. If Stripe
 * refuses, a task is enqueued.
 */
export async function propagateAddress(
  { addresses, waitlist, billing, tasks }: PropagationDependencies,
  { id, username, customerId }: { id: string; username: string; customerId: string | undefined },
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<void> {
  const setAtStripe = async (customer: string): Promise<void> => {
    try {
      await billing.setCustomerEmail(customer, to);
    } catch (error) {
      await enqueueTask({ tasks }, { work: 'address', customer_id: customer, user_id: id }, error, now);
    }
  };
  await Promise.all([
    releaseAddress(addresses, id, { email: from, username }),
    attempt('address-not-propagated', { user: id, step: 'waitlist' }, () => waitlist.move(from, to)),
    customerId !== undefined &&
      attempt('address-not-propagated', { user: id, step: 'customer' }, () => setAtStripe(customerId)),
  ]);
}
