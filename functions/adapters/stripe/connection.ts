import type Stripe from 'stripe';
import { readStripeSecret } from '../secrets.ts';

/** Stripe's client, and the secret that its webhooks are signed with. */
export interface Connection {
  stripe: Stripe;
  webhookSecret: string;
}

export const CLIENT_OPTIONS = {
  // Milliseconds. Three tries of eight seconds and their pauses end before API Gateway does, after 29 s.
  timeout: 8_000,
  maxNetworkRetries: 2,
  telemetry: false,
} as const;

/** Imports Stripe's client when it is needed: importing it takes about 30 ms of a cold start. */
export async function connect({
  STRIPE_API,
  STRIPE_SECRET_ID,
}: {
  STRIPE_API: string;
  STRIPE_SECRET_ID: string;
}): Promise<Connection> {
  const [{ default: StripeClient }, secret] = await Promise.all([
    import('stripe'),
    readStripeSecret(STRIPE_SECRET_ID),
  ]);
  const { hostname, port, protocol } = new URL(STRIPE_API);
  const stripe = new StripeClient(secret.secretKey, {
    host: hostname,
    ...(port && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...CLIENT_OPTIONS,
  });
  return { stripe, webhookSecret: secret.webhookSecret };
}
