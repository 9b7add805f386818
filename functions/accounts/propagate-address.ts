import type { Uses } from '../adapters/adapters.ts';
import { enqueueTask } from '../tasks/enqueue-task.ts';
import { attempt } from '../runtime/attempt.ts';
import { releaseAddress } from './address-ownership.ts';

export type PropagationDependencies = Uses<'addresses' | 'waitlist' | 'billing' | 'tasks'>;

/**
 * Releases the earlier address of an account, and writes the new one to the waitlist and to Stripe, by a task
 * if Stripe refuses. Never throws: the address is already changed.
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
