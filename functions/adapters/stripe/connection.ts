import type Stripe from 'stripe';
import type { StripeSecret } from '../../../schemas/config/stripe-secret.ts';
import { readStripeSecret } from '../secrets.ts';
import { cachedSecret } from './cached-secret.ts';
import { withRotatingKey } from './rotating-key.ts';

export interface Connection {
  stripe: Stripe;
  /** One secret, or two during a rotation, as last read. */
  readonly webhookSecret: StripeSecret['webhookSecret'];
  /** Reads the secrets again, at most once a minute. Absent if the secrets can't change. */
  readWebhookSecretAgain?: () => Promise<void>;
}

export const CLIENT_OPTIONS = {
  // Milliseconds. Three tries of eight seconds and their pauses end before API Gateway does, after 29 s.
  timeout: 8_000,
  maxNetworkRetries: 2,
  telemetry: false,
} as const;

/** Imports Stripe's client on demand: the import takes about 30 ms of a cold start. `pace`: of a job. */
export async function connect(
  { STRIPE_API, STRIPE_SECRET_ID }: { STRIPE_API: string; STRIPE_SECRET_ID: string },
  pace?: () => Promise<void>,
): Promise<Connection> {
  const [{ default: StripeClient }, secret] = await Promise.all([
    import('stripe'),
    cachedSecret(() => readStripeSecret(STRIPE_SECRET_ID)),
  ]);
  const { hostname, port, protocol } = new URL(STRIPE_API);
  const stripe = new StripeClient(secret.current.secretKey, {
    host: hostname,
    ...(port && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    httpClient: withRotatingKey(StripeClient.createNodeHttpClient(), secret, pace),
    ...CLIENT_OPTIONS,
  });
  return {
    stripe,
    get webhookSecret() {
      return secret.current.webhookSecret;
    },
    // Apart from the key's, whose reads a stranger who keeps sending bad signatures would use up.
    readWebhookSecretAgain: secret.rereader(),
  };
}
