import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import type { WaitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { leaveTask, TASK_INTERVAL, type TaskDependencies } from '../plans/leave-task.ts';
import { log } from '../runtime/log.ts';
import { releaseAddress } from './release-address.ts';

export interface FollowDependencies extends TaskDependencies {
  addresses: Pick<Addresses, 'release'>;
  addressChanges: Pick<AddressChangesTable, 'read'>;
  waitlist: Pick<WaitlistTable, 'move'>;
  billing: Pick<Billing, 'setCustomerEmail'>;
}

interface FollowedUser {
  id: string;
  /** Stripe's. */
  customerId: string | undefined;
}

/**
 * What follows when an account has got another address: the earlier ones are released, and the entry of the
 * waitlist and Stripe's customer get the new one. Never throws: the address is changed by now. What Stripe
 * refuses is left as a task. Does nothing if the account has another address again: then something else
 * follows that one.
 */
export async function followAddress(
  { addresses, addressChanges, waitlist, billing, tasks }: FollowDependencies,
  { id, customerId }: FollowedUser,
  { from, to }: { from: readonly string[]; to: string },
  now: Date,
): Promise<void> {
  if (!(await isCurrent(addressChanges, id, to))) return;
  await Promise.all([
    ...from.flatMap((email) => [
      releaseAddress(addresses, id, { email, username: id }),
      moveWaitlistEntry(waitlist, id, email, to),
    ]),
    customerId !== undefined && tellStripe({ billing, tasks }, { id, customerId }, to, now),
  ]);
}

/**
 * Makes sure that Stripe's customer gets the account's address, even if the caller ends before it can follow.
 * The schedule `billing-tasks` reads the address when it is due. Never throws.
 */
export async function promiseToFollow(
  { tasks }: TaskDependencies,
  { id, customerId }: FollowedUser,
  now: Date,
): Promise<void> {
  if (customerId === undefined) return;
  try {
    const task = { work: 'address', customer_id: customerId, user_id: id, failure: 'not tried yet' } as const;
    await tasks.remember(task, now, new Date(now.getTime() + TASK_INTERVAL));
  } catch (error) {
    log.error('address-not-followed', { user: id, step: 'customer' }, error);
  }
}

async function isCurrent(
  addressChanges: FollowDependencies['addressChanges'],
  id: string,
  email: string,
): Promise<boolean> {
  try {
    return (await addressChanges.read(id))?.current === email;
  } catch (error) {
    log.error('address-not-followed', { user: id, step: 'current' }, error);
    return true;
  }
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
