import { handledEventTypes } from '../../domain/handled-event-types.ts';
import type { Connection } from './connection.ts';
import { stripeErrors } from './refusals.ts';

const TIMESTAMP = /^t=\d{1,12}$/;
// HMAC-SHA256 in hexadecimal.
const SIGNATURE = /^v1=[0-9a-f]{64}$/;

const THIN_EVENT = /"object"\s*:\s*"v2\.core\.event"/;

export const events = (connection: () => Promise<Connection>) => ({
  /** The event, if Stripe signed exactly these bytes within the last five minutes; undefined otherwise. */
  async verifyEvent(body: Buffer, signature: string): Promise<unknown> {
    const header = signatureHeader(signature);
    if (header === undefined) return undefined;
    const connected = await connection();
    const signed = await verified(connected, body, header);
    if (signed || !connected.readWebhookSecretAgain) return signed?.event;
    // The event is forged, or signed with a secret newer than the one this process has read.
    await connected.readWebhookSecretAgain();
    return (await verified(connected, body, header))?.event;
  },

  /** The events from `from` until before `to` in thirty days, newest first. `types`: at most twenty. */
  async *eventsBetween(
    from: number,
    to: number,
    types: ReadonlySet<string> = handledEventTypes,
  ): AsyncIterable<unknown> {
    const { stripe } = await connection();
    yield* stripe.events.list({ types: [...types], created: { gte: from, lt: to }, limit: 100 });
  },
});

/**
 * The event of a body that one of the secrets has signed; undefined if none has. `event` is undefined if the
 * body is not JSON: a retry can't help.
 */
async function verified({ stripe, webhookSecret }: Connection, body: Buffer, header: string) {
  for (const secret of [webhookSecret].flat()) {
    try {
      return { event: stripe.webhooks.constructEvent(body, header, secret) };
    } catch (error) {
      const errors = await stripeErrors();
      if (error instanceof errors.StripeSignatureVerificationError) continue;
      if (error instanceof SyntaxError) return { event: undefined };
      // The library checks the signature and then throws for thin events (API v2), which we don't use.
      if (THIN_EVENT.test(body.toString('utf8'))) return { event: {} };
      throw error;
    }
  }
  return undefined;
}

/**
 * The timestamp and the v1 signatures of a `stripe-signature` header; undefined if either is missing.
 * Stripe's library throws a plain Error at an empty `v1=`. Without this filter, that Error becomes a 500.
 */
function signatureHeader(header: string): string | undefined {
  const items = header.split(',');
  const timestamp = items.findLast((item) => TIMESTAMP.test(item));
  const signatures = items.filter((item) => SIGNATURE.test(item));
  return timestamp && signatures.length > 0 ? [timestamp, ...signatures].join(',') : undefined;
}
