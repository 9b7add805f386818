import { isComplimentary } from '../domain/decide-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { hasEnded } from '../domain/subscription.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { attemptAll } from '../runtime/attempt-all.ts';
import { enqueueTask, type TaskDependencies } from './enqueue-task.ts';
import { settleSubscriptions, type SettlingBilling } from './settle-subscriptions.ts';

type CustomerBilling = SettlingBilling &
  Pick<Billing, 'subscriptionsOf' | 'cancelNow' | 'refundSince' | 'deleteCustomer'>;

export interface EndBillingDependencies extends TaskDependencies {
  billing: CustomerBilling & Pick<Billing, 'expireCheckout'>;
}

/**
 * Ends all billing of the user of a closed row: expires the open checkout, refunds duplicates, cancels our
 * subscriptions, voids their invoices, deletes the customer. Safe to repeat. If Stripe refuses a step, a task
 * is enqueued, so that a refusal keeps nobody from leaving. Throws while the checkout can still be paid.
 *
 * Resolves with whether a subscription was running.
 */
export async function endBilling(
  dependencies: EndBillingDependencies,
  row: UserPlan,
  now: Date,
): Promise<boolean> {
  const { billing } = dependencies;
  const session = row.checkout_session_id;
  const unexpired = session ? await attemptAll([() => billing.expireCheckout(session)]) : [];
  const customerId = customerIdOf(row);
  const ended =
    customerId === undefined ? nothingToEnd : await endCustomer(dependencies, customerId, row, now);
  // The session of a deleted customer can't be paid.
  if (unexpired.length > 0 && !ended.isCustomerDeleted) throw unexpired[0];
  return ended.wasRunning;
}

/** Ends the billing of one customer like `endBilling`. */
export async function endCustomer(
  { billing, tasks }: TaskDependencies & { billing: CustomerBilling },
  customerId: string,
  row: UserPlan,
  now: Date,
): Promise<Ended> {
  const ended = await endCustomerBilling(billing, customerId, row);
  if (ended.failures.length > 0) {
    const task = { work: 'end', customer_id: customerId, user_id: row.id } as const;
    await enqueueTask({ tasks }, task, ended.failures[0], now);
  }
  return ended;
}

interface Ended {
  /** Whether a subscription was running. */
  wasRunning: boolean;
  isCustomerDeleted: boolean;
  failures: readonly unknown[];
}

const nothingToEnd: Ended = { wasRunning: false, isCustomerDeleted: false, failures: [] };

/**
 * Does all that Stripe allows to end the billing of one customer. `deletedAt`: the time of the account's
 * deletion, if that was a while ago. Payments since then are refunded.
 */
export async function endCustomerBilling(
  billing: CustomerBilling,
  customerId: string,
  row: UserPlan,
  deletedAt?: Date,
): Promise<Ended> {
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
      wasRunning: row.plan === 'plus' && !isComplimentary(row),
      isCustomerDeleted,
      failures: [error, ...undeleted],
    };
  }
  const settled = await settleSubscriptions(billing, subscriptions, row);
  const running = settled.subscriptions.filter((subscription) => !hasEnded(subscription));
  const uncancelled = await attemptAll(running.map((subscription) => () => billing.cancelNow(subscription)));
  const unrefunded = deletedAt
    ? await attemptAll([() => billing.refundSince(customerId, row, deletedAt)])
    : [];
  const failures = [...settled.failures.map(({ error }) => error), ...uncancelled, ...unrefunded];
  // An outstanding refund needs the customer. Anything else could still be charged to the customer.
  const keepsCustomer =
    failures.length > 0 &&
    uncancelled.length === 0 &&
    settled.failures.every(({ step }) => step === 'refund');
  const undeleted = keepsCustomer ? [] : await attemptAll([remove]);
  return {
    wasRunning: running.length > 0,
    isCustomerDeleted,
    failures: [...failures, ...undeleted],
  };
}
