import type { Stripe } from '@stripe/stripe-js';
import { call } from '../../api/call.ts';
import type { User } from '../../session/session.ts';
import { stripe } from './stripe.ts';

export type OpenedCheckout =
  | { kind: 'paying'; stripe: Stripe; clientSecret: string }
  /** There is nothing to buy, and another way on. */
  | { kind: 'elsewhere'; sentence: string }
  /** `reason`: what a person can make of it. */
  | { kind: 'failed'; reason: string };

let opening: { key: string; checkout: Promise<OpenedCheckout> } | undefined;

/** Opens the checkout. Asking again while it opens joins in: one visit asks for one session. */
export function openCheckout(planName: string, user: User): Promise<OpenedCheckout> {
  const key = `${user.id} ${planName}`;
  if (opening?.key === key) return opening.checkout;
  const checkout = open(planName, user).finally(() => {
    opening = undefined;
  });
  opening = { key, checkout };
  return checkout;
}

// The secret is asked for before the form is mounted: a form that is refused its secret stays an empty box.
async function open(planName: string, user: User): Promise<OpenedCheckout> {
  const [loaded, answer] = await Promise.all([
    stripe().catch(() => null),
    call('create-checkout-session', { body: { planName, userId: user.id, userEmail: user.email } }),
  ]);
  if (!answer.ok) {
    return answer.code === 'already-subscribed' || answer.code === 'renew-instead'
      ? { kind: 'elsewhere', sentence: answer.sentence }
      : { kind: 'failed', reason: answer.sentence };
  }
  return loaded
    ? { kind: 'paying', stripe: loaded, clientSecret: answer.value.clientSecret }
    : { kind: 'failed', reason: "The card form didn't load. Please check your connection and try again." };
}
