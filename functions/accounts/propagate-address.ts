import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import type { WaitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { enqueueTask, NOT_TRIED, TASK_INTERVAL, type TaskDependencies } from '../notices/enqueue-task.ts';
import { log } from '../runtime/log.ts';
import { releaseAddress } from './address-ownership.ts';

export interface PropagationDependencies extends TaskDependencies {
  addresses: Pick<Addresses, 'release'>;
  addressChanges: Pick<AddressChangesTable, 'read'>;
  waitlist: Pick<WaitlistTable, 'move'>;
  billing: Pick<Billing, 'setCustomerEmail'>;
}

export interface PropagatedUser {
  id: string;
  /** The Stripe customer. */
  customerId: string | undefined;
}

/**
 * Propagates the new address of an account: releases the earlier addresses, and writes the new address to the
 * waitlist entry and to the Stripe customer. Never throws, since the address is already changed. If Stripe
 * refuses, a task is enqueued. Does nothing if the account has yet another address, which another call
 * propagates.
 */
export async function propagateAddress(
  { addresses, addressChanges, waitlist, billing, tasks }: PropagationDependencies,
  { id, customerId }: PropagatedUser,
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
 * Makes sure that Stripe's customer gets the account's address, even if the caller ends before
 * `propagateAddress`. The schedule `billing-tasks` reads the address when it is due. Never throws.
 */
export async function enqueuePropagation(
  { tasks }: TaskDependencies,
  { id, customerId }: PropagatedUser,
  now: Date,
): Promise<void> {
  if (customerId === undefined) return;
  try {
    const task = { work: 'address', customer_id: customerId, user_id: id, failure: NOT_TRIED } as const;
    await tasks.enqueue(task, now, new Date(now.getTime() + TASK_INTERVAL));
  } catch (error) {
    log.error('address-not-propagated', { user: id, step: 'customer' }, error);
  }
}

async function isCurrent(
  addressChanges: PropagationDependencies['addressChanges'],
  id: string,
  email: string,
): Promise<boolean> {
  try {
    return (await addressChanges.read(id))?.current === email;
  } catch (error) {
    log.error('address-not-propagated', { user: id, step: 'current' }, error);
    return true;
  }
}

async function moveWaitlistEntry(
  waitlist: PropagationDependencies['waitlist'],
  user: string,
  from: string,
  to: string,
): Promise<void> {
  try {
    await waitlist.move(from, to);
  } catch (error) {
    log.error('address-not-propagated', { user, step: 'waitlist' }, error);
  }
}

async function tellStripe(
  { billing, tasks }: Pick<PropagationDependencies, 'billing' | 'tasks'>,
  { id, customerId }: { id: string; customerId: string },
  email: string,
  now: Date,
): Promise<void> {
  try {
    await billing.setCustomerEmail(customerId, email);
  } catch (error) {
    const task = { work: 'address', customer_id: customerId, user_id: id } as const;
    await enqueueTask({ tasks }, task, error, now).catch((failure: unknown) => {
      log.error('address-not-propagated', { user: id, step: 'customer' }, failure);
    });
  }
}
