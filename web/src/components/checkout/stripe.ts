// The `pure` entry loads Stripe's script when called, the default entry on import.
import { loadStripe } from '@stripe/stripe-js/pure';
import { siteConfig } from '../../pages/site-config.ts';
import { once, within } from '../../session/within.ts';

// Milliseconds in which Stripe.js has to load.
const LIMIT = 30_000;

/** Stripe.js with the stack's key. Rejects if it can't be loaded; the next call tries again. */
export const stripe = once(async () => {
  const { stripePublishableKey } = await siteConfig();
  const loaded = await within(LIMIT, loadStripe(stripePublishableKey));
  if (!loaded) throw new Error('Stripe.js loaded without Stripe.');
  return loaded;
});
