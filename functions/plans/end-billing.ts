import { isPaid } from '../../schemas/product/offers.ts';
import { isComplimentary } from '../domain/decide-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { hasEnded } from '../domain/subscription.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { Billing } from '../adapters/stripe/stripe-billing.ts';
import { attemptAll } from '../runtime/attempt-all.ts';
import { enqueueTask, NOT_TRIED, TASK_INTERVAL } from '../tasks/enqueue-task.ts';
import { settleSubscriptions } from './settle-subscriptions.ts';

export type EndBillingDependencies = Uses<'billing' | 'tasks'>;

/**
 * Ends all billing of the user of a closed row: expires open checkouts, refunds duplicates, cancels our
 * subscriptions, voids their invoices, refunds what was paid since `since`, deletes the customer. Safe to
 * repeat. A task does the same an hour later: it finds a payment that Stripe completed meanwhile, and
 * finishes what Stripe has refused, which so blocks no deletion. Throws while a checkout can still be paid.
 * Resolves with whether a subscription was running.
 */
export async function endBilling(
  dependencies: EndBillingDependencies,
  row: UserPlan,
  now: Date,
  since: Date = now,
): Promise<boolean> {
  const { billing, tasks } = dependencies;
  const customerId = customerIdOf(row);
  if (customerId !== undefined) await enqueueEnding({ tasks }, { customerId, userId: row.id, since }, now);
  const session = row.checkout_session_id;
  const unexpired = await attemptAll([
    ...(session === undefined ? [] : [() => billing.expireCheckout(session)]),
    // Sessions that another one has replaced, and whose expiry was refused.
    ...(customerId === undefined ? [] : [() => billing.expireCheckoutsOf(customerId)]),
  ]);
  const ended =
    customerId === undefined ? undefined : await endCustomer(dependencies, customerId, row, since);
  // The session of a deleted customer can't be paid.
  if (unexpired.length > 0 && !ended?.isCustomerDeleted) throw unexpired[0];
  return ended?.wasRunning ?? false;
}

/** Enqueues the end of a customer's billing, in case that it fails now, or isn't tried. */
export async function enqueueEnding(
  { tasks }: Uses<'tasks'>,
  { customerId, userId, since }: { customerId: string; userId: string; since: Date },
  now: Date,
): Promise<void> {
  const task = { work: 'end', customer_id: customerId, user_id: userId, failure: NOT_TRIED } as const;
  await tasks.enqueue(task, since, new Date(now.getTime() + TASK_INTERVAL));
}

export async function endCustomer(
  { billing, tasks }: EndBillingDependencies,
  customerId: string,
  row: UserPlan,
  since: Date,
) {
  const ended = await endCustomerBilling(billing, customerId, row, since);
  if (ended.failures.length > 0) {
    const task = { work: 'end', customer_id: customerId, user_id: row.id } as const;
    await enqueueTask({ tasks }, task, ended.failures[0], since);
  }
  return ended;
}

/** Does all that Stripe allows to end the billing of one customer, like `endBilling`. */
export async function endCustomerBilling(billing: Billing, customerId: string, row: UserPlan, since: Date) {
  let isCustomerDeleted = false;
  const remove = async () => {
    isCustomerDeleted = await billing.deleteCustomer(customerId, row);
  };
  let subscriptions;
  try {
    subscriptions = await billing.subscriptionsOf(customerId, row);
  } catch (error) {
    // Deleting the customer cancels its subscriptions at Stripe.
    const undeleted = await attemptAll([remove]);
    return {
      wasRunning: isPaid(row.plan) && !isComplimentary(row),
      isCustomerDeleted,
      failures: [error, ...undeleted],
    };
  }
  const settled = await settleSubscriptions(billing, subscriptions, row);
  const running = settled.subscriptions.filter((subscription) => !hasEnded(subscription));
  const uncancelled = await attemptAll(running.map((subscription) => () => billing.cancelNow(subscription)));
  const unrefunded = await attemptAll([() => billing.refundSince(customerId, row, since)]);
  const failures = [...settled.failures.map(({ error }) => error), ...uncancelled, ...unrefunded];
  // An outstanding refund needs the customer. Anything else could still be charged to the customer.
  const keepsCustomer =
    failures.length > 0 &&
    uncancelled.length === 0 &&
    settled.failures.every(({ step }) => step === 'refund');
  const undeleted = keepsCustomer ? [] : await attemptAll([remove]);
  return { wasRunning: running.length > 0, isCustomerDeleted, failures: [...failures, ...undeleted] };
}
