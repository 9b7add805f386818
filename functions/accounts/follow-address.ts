import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import type { WaitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { leaveTask, type TaskDependencies } from '../plans/leave-task.ts';
import { log } from '../runtime/log.ts';
import { releaseAddress } from './release-address.ts';

export interface FollowDependencies extends TaskDependencies {
  addresses: Pick<Addresses, 'release'>;
  waitlist: Pick<WaitlistTable, 'move'>;
  billing: Pick<Billing, 'setCustomerEmail'>;
}

/**
 * What follows when an account has got another address: the earlier one is released, and the entry of the
 * waitlist and Stripe's customer get the new one. Never throws: the address is changed by now. What Stripe
 * refuses is left as a task.
 */
export async function followAddress(
  { addresses, waitlist, billing, tasks }: FollowDependencies,
  user: { id: string; customerId: string | undefined },
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<void> {
  const { id, customerId } = user;
  await Promise.all([
    releaseAddress(addresses, id, { email: from, username: id }),
    moveWaitlistEntry(waitlist, id, from, to),
    customerId !== undefined && tellStripe({ billing, tasks }, { id, customerId }, to, now),
  ]);
}

async function moveWaitlistEntry(
  waitlist: FollowDependencies['waitlist'],
  user: string,
  from: string,
  to: string,
): Promise<void> {
  try {
    await waitlist.move(from, to);
  } catch (error) {
    log.error('address-not-followed', { user, step: 'waitlist' }, error);
  }
}

async function tellStripe(
  { billing, tasks }: Pick<FollowDependencies, 'billing' | 'tasks'>,
  { id, customerId }: { id: string; customerId: string },
  email: string,
  now: Date,
): Promise<void> {
  try {
    await billing.setCustomerEmail(customerId, email);
  } catch (error) {
    const task = { work: 'address', customer_id: customerId, user_id: id } as const;
    await leaveTask({ tasks }, task, error, now).catch((failure: unknown) => {
      log.error('address-not-followed', { user: id, step: 'customer' }, failure);
    });
  }
}
