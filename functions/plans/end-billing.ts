import { isComplimentary } from '../domain/decide-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { hasEnded } from '../domain/subscription.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { attemptAll } from '../runtime/attempt-all.ts';
import { leaveTask, type TaskDependencies } from './leave-task.ts';
import { settleSubscriptions } from './settle-subscriptions.ts';

type CustomerBilling = Pick<
  Billing,
  | 'subscriptionsOf'
  | 'refundAndCancel'
  | 'cancelUnpaid'
  | 'cancelNow'
  | 'voidInvoices'
  | 'refundSince'
  | 'deleteCustomer'
>;

export interface EndBillingDependencies extends TaskDependencies {
  billing: CustomerBilling & Pick<Billing, 'expireCheckout'>;
}

/**
 * Ends everything that is billed to the user of a closed row: expires the open checkout, refunds duplicates,
 * cancels the subscriptions, voids what they owe, deletes the customer. Safe to repeat. What Stripe refuses
 * is left as a task, so that a refusal keeps nobody from leaving. Throws while the checkout can still be
 * paid.
 *
 * Resolves with whether a subscription was still running.
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
  // Nobody can pay the session of a deleted customer.
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
    await leaveTask({ tasks }, task, ended.failures[0], now);
  }
  return ended;
}

interface Ended {
  /** Whether a subscription was still running. */
  wasRunning: boolean;
  isCustomerDeleted: boolean;
  failures: readonly unknown[];
}

const nothingToEnd: Ended = { wasRunning: false, isCustomerDeleted: false, failures: [] };

/**
 * Does all that Stripe allows to end the billing of one customer. `deletedAt`: when the account was deleted,
 * if that is some time ago. What Stripe has taken since is refunded.
 */
export async function endCustomerBilling(
  billing: CustomerBilling,
  customerId: string,
  row: UserPlan,
  deletedAt?: Date,
): Promise<Ended> {
  const remove = () => billing.deleteCustomer(customerId);
  let subscriptions;
  try {
    subscriptions = await billing.subscriptionsOf(customerId);
  } catch (error) {
    // Deleting the customer cancels its subscriptions at Stripe.
    const undeleted = await attemptAll([remove]);
    return {
      wasRunning: row.plan === 'plus' && !isComplimentary(row),
      isCustomerDeleted: undeleted.length === 0,
      failures: [error, ...undeleted],
    };
  }
  const settled = await settleSubscriptions(billing, subscriptions, row);
  const running = settled.subscriptions.filter((subscription) => !hasEnded(subscription));
  const uncancelled = await attemptAll(
    running.map(
      ({ id }) =>
        () =>
          billing.cancelNow(id),
    ),
  );
  const unrefunded = deletedAt ? await attemptAll([() => billing.refundSince(customerId, deletedAt)]) : [];
  const failures = [...settled.failures.map(({ error }) => error), ...uncancelled, ...unrefunded];
  // A refund that is left needs the customer. Anything else could still be charged to it.
  const keepsCustomer =
    failures.length > 0 &&
    uncancelled.length === 0 &&
    settled.failures.every(({ step }) => step === 'refund');
  const undeleted = keepsCustomer ? [] : await attemptAll([remove]);
  return {
    wasRunning: running.length > 0,
    isCustomerDeleted: !keepsCustomer && undeleted.length === 0,
    failures: [...failures, ...undeleted],
  };
}
