import type Stripe from 'stripe';
import { hasEnded } from '../../domain/subscription.ts';

/** Stripe's error classes. The module is loaded already when one of them is thrown. */
export const stripeErrors = async () => (await import('stripe')).default.errors;

/** Resolves with undefined if Stripe says that the object doesn't exist. */
export async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const errors = await stripeErrors();
    if (error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing') {
      return undefined;
    }
    throw error;
  }
}

/** Makes a change that is only made if Stripe allows it. Resolves with whether it does. */
export async function unlessRefused(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    const errors = await stripeErrors();
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
    return false;
  }
}

/** Reads the subscription instead if it has ended meanwhile and Stripe therefore refuses the change. */
export async function unlessEnded(
  change: () => Promise<Stripe.Subscription>,
  read: () => Promise<Stripe.Subscription>,
): Promise<Stripe.Subscription> {
  try {
    return await change();
  } catch (error) {
    const errors = await stripeErrors();
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
    // The refusal has no specific code.
    const subscription = await read();
    if (!hasEnded(subscription)) throw error;
    return subscription;
  }
}
