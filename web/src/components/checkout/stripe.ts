// The `pure` entry loads Stripe's script when called, the default entry on import.
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Stripe } from '@stripe/stripe-js';
import { siteConfig } from '../../pages/site-config.ts';
import { within } from '../../session/within.ts';

// Milliseconds in which Stripe.js has to load.
const LIMIT = 30_000;

let loading: Promise<Stripe> | undefined;

/** Stripe.js with the stack's key. Rejects if it can't be loaded; the next call tries again. */
export function stripe(): Promise<Stripe> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Stripe> {
  const { stripePublishableKey } = await siteConfig();
  const loaded = await within(LIMIT, loadStripe(stripePublishableKey));
  if (!loaded) throw new Error('Stripe.js loaded without Stripe.');
  return loaded;
}
