import type { Stripe } from '@stripe/stripe-js';
import type { Offer } from '../../../../schemas/product/offers.ts';
import { call } from '../../api/call.ts';
import type { User } from '../../session/session.ts';
import { stripe } from './stripe.ts';

export type OpenedCheckout =
  | { kind: 'paying'; stripe: Stripe; clientSecret: string }
  /** The user is subscribed, or can renew instead. */
  | { kind: 'nothing-to-buy' }
  /** The user has bought the plan, and the bank is still processing the payment. */
  | { kind: 'processing' }
  /** `reason` is a sentence for the user. */
  | { kind: 'failed'; reason: string };

let opening: { key: string; checkout: Promise<OpenedCheckout> } | undefined;

/** Opens a Checkout Session. Concurrent calls share one request, so that a visit opens only one session. */
export function startCheckout(offer: Offer, user: User): Promise<OpenedCheckout> {
  const key = `${user.id} ${offer.key}`;
  if (opening?.key === key) return opening.checkout;
  const checkout = open(offer, user).finally(() => {
    opening = undefined;
  });
  opening = { key, checkout };
  return checkout;
}

// The client secret is fetched before the form is mounted: without a secret the form stays an empty box.
async function open({ plan, interval }: Offer, user: User): Promise<OpenedCheckout> {
  const [loaded, answer] = await Promise.all([
    stripe().catch(() => null),
    call('create-checkout-session', {
      body: { planName: plan, interval, userId: user.id, userEmail: user.email },
    }),
  ]);
  if (!answer.ok) {
    if (answer.code === 'payment-processing') return { kind: 'processing' };
    return answer.code === 'already-subscribed' || answer.code === 'renew-instead'
      ? { kind: 'nothing-to-buy' }
      : { kind: 'failed', reason: answer.sentence };
  }
  return loaded
    ? { kind: 'paying', stripe: loaded, clientSecret: answer.value.clientSecret }
    : { kind: 'failed', reason: BLOCKED };
}

/** Our own server has answered, so the connection works. */
const BLOCKED =
  "Our server answered, but the card form of Stripe, our payment provider, didn't load. An ad blocker, another extension or your network's filter probably blocks js.stripe.com: allow it for this page, or use another browser or network.";
