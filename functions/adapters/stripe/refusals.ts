import type Stripe from 'stripe';

/** Loaded already wherever there is an error to name. */
export const stripeErrors = async () => (await import('stripe')).default.errors;

/** What `ask` resolves with; undefined where Stripe says that the thing doesn't exist. */
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

/** Does what it can: that Stripe refuses, since the thing is in another state by now, is no failure. */
export async function unlessRefused(change: () => Promise<unknown>): Promise<void> {
  try {
    await change();
  } catch (error) {
    const errors = await stripeErrors();
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
  }
}

/** What `change` resolves with; the subscription as it stands where it has ended meanwhile, which nothing changes. */
export async function unlessEnded(
  stripe: Stripe,
  subscriptionId: string,
  change: () => Promise<Stripe.Subscription>,
): Promise<Stripe.Subscription> {
  try {
    return await change();
  } catch (error) {
    const errors = await stripeErrors();
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
    // The refusal has no code of its own.
    const standing = await stripe.subscriptions.retrieve(subscriptionId);
    if (standing.status !== 'canceled' && standing.status !== 'incomplete_expired') throw error;
    return standing;
  }
}
