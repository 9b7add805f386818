import { Stripe } from 'stripe';
import { secretNames } from '../../stages/secret-names.ts';
import { readSecret } from './secret-store.ts';
import type { Target } from './target.ts';

/**
 * The stage's Stripe secret, and a client with its key.
 *
 * @throws {Error} There is no such secret.
 */
export async function storedStripe({ secrets, stageName }: Pick<Target, 'secrets' | 'stageName'>) {
  const name = secretNames(stageName).stripe;
  const stored = await readSecret(secrets, name);
  if (stored === undefined || stored === 'deleted') throw new Error(`There is no secret ${name}.`);
  return { name, stored: stored.value, stripe: stripeWith(String(stored.value['secretKey'])) };
}

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
