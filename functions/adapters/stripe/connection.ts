import type Stripe from 'stripe';
import type { StripeSecret } from '../../../schemas/stripe-secret.ts';
import { readStripeSecret } from '../secrets.ts';
import { keepSecret } from './kept-secret.ts';
import { withRotatingKey } from './rotating-key.ts';

/** Stripe's client, and what its webhooks are signed with. */
export interface Connection {
  stripe: Stripe;
  /** One secret, or the two of a rotation, as they were last read. */
  readonly webhookSecret: StripeSecret['webhookSecret'];
  /** Reads the secrets again, at most once a minute. Absent where they can't change. */
  readWebhookSecretAgain?: () => Promise<void>;
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
    keepSecret(() => readStripeSecret(STRIPE_SECRET_ID)),
  ]);
  const { hostname, port, protocol } = new URL(STRIPE_API);
  const stripe = new StripeClient(secret.current.secretKey, {
    host: hostname,
    ...(port && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    httpClient: withRotatingKey(StripeClient.createNodeHttpClient(), secret),
    ...CLIENT_OPTIONS,
  });
  return {
    stripe,
    get webhookSecret() {
      return secret.current.webhookSecret;
    },
    // Not the key's: a stranger who keeps sending bad signatures would use up its readings.
    readWebhookSecretAgain: secret.rereader(),
  };
}
