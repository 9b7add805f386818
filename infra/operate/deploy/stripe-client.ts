import { Stripe } from 'stripe';

/**
 * A Stripe client with this key. The variable `STRIPE_API` is the origin of another server. @default
 * https://api.stripe.com
 */
export function stripeWith(secretKey: string): Stripe {
  const { hostname, port, protocol } = new URL(process.env['STRIPE_API'] ?? 'https://api.stripe.com');
  return new Stripe(secretKey, {
    host: hostname,
    ...(port && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    telemetry: false,
  });
}
