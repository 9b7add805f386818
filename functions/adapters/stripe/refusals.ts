import type Stripe from 'stripe';
import { attempt } from '../../runtime/attempt.ts';
import { idOf } from './id-of.ts';
import { expand, hasEndedAtStripe } from './to-subscription.ts';

/** Stripe's error classes. The module is already loaded when Stripe throws one of them. */
export const stripeErrors = async () => (await import('stripe')).default.errors;

/** The error if Stripe refuses the request itself, and would again. */
export async function refusalIn(error: unknown) {
  const { StripeInvalidRequestError } = await stripeErrors();
  return error instanceof StripeInvalidRequestError ? error : undefined;
}

const saysMissing = async (error: unknown) => (await refusalIn(error))?.code === 'resource_missing';

/** Resolves with undefined if Stripe says that the object doesn't exist. */
export async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (await saysMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Resolves with undefined if the customer has been deleted. `resource_missing` can be about another object,
 * and a plan depends on the answer, so the customer is retrieved.
 */
export async function unlessCustomerGone<T>(
  stripe: Stripe,
  customerId: string,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(await saysMissing(error))) throw error;
    const customer = await unlessMissing(() => stripe.customers.retrieve(customerId));
    if (customer && !customer.deleted) throw error;
    return undefined;
  }
}

/** Attempts a change that Stripe may refuse. Resolves with whether Stripe made the change. */
export async function unlessRefused(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (!(await refusalIn(error))) throw error;
    return false;
  }
}

/** Reads what only a sentence needs. Any failure is logged, and resolves with undefined. */
export const readOrLog = <T>(read: () => Promise<T>): Promise<T | undefined> =>
  attempt('billing-not-read', {}, read);

/**
 * Makes a change. If the subscription has ended meanwhile, reads it instead. If support has put it on a
 * schedule, which alone may change its end, releases it from the schedule and tries again.
 */
export async function unlessEnded(stripe: Stripe, id: string, change: () => Promise<Stripe.Subscription>) {
  try {
    return await change();
  } catch (error) {
    if (!(await refusalIn(error))) throw error;
    // Stripe's refusal has no specific code.
    const subscription = await stripe.subscriptions.retrieve(id, { expand });
    if (hasEndedAtStripe(subscription)) return subscription;
    if (!subscription.schedule) throw error;
    await stripe.subscriptionSchedules.release(idOf(subscription.schedule));
    return change();
  }
}
