import { handledEventTypes } from '../../domain/handled-event-types.ts';
import type { Connection } from './connection.ts';
import { stripeErrors } from './refusals.ts';
import { signatureHeader } from './signature-header.ts';

const THIN_EVENT = /"object"\s*:\s*"v2\.core\.event"/;

export const events = (connection: () => Promise<Connection>) => ({
  /** The event, if Stripe signed exactly these bytes within the last five minutes; undefined otherwise. */
  async verifyEvent(body: Buffer, signature: string): Promise<unknown> {
    const header = signatureHeader(signature);
    if (header === undefined) return undefined;
    const connected = await connection();
    const delivery = { body, header };
    const verified = await verifyWithAny(connected, delivery);
    if (verified.signed || !connected.readWebhookSecretAgain) return verified.event;
    // The event is forged, or signed with a secret newer than the one this process has read.
    await connected.readWebhookSecretAgain();
    return (await verifyWithAny(connected, delivery)).event;
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

/** A webhook's body and filtered signature header. */
interface Delivery {
  body: Buffer;
  header: string;
}

/** `event` is undefined if the body is not JSON. */
interface Verified {
  signed: boolean;
  event: unknown;
}

async function verifyWithAny(connection: Connection, delivery: Delivery): Promise<Verified> {
  for (const secret of [connection.webhookSecret].flat()) {
    const verified = await verify(connection, secret, delivery);
    if (verified.signed) return verified;
  }
  return { signed: false, event: undefined };
}

async function verify({ stripe }: Connection, secret: string, { body, header }: Delivery): Promise<Verified> {
  try {
    return { signed: true, event: stripe.webhooks.constructEvent(body, header, secret) };
  } catch (error) {
    const errors = await stripeErrors();
    if (error instanceof errors.StripeSignatureVerificationError) return { signed: false, event: undefined };
    // The body is signed, but not JSON: a retry can't help.
    if (error instanceof SyntaxError) return { signed: true, event: undefined };
    // The library checks the signature and then throws for thin events (API v2), which we don't use.
    if (THIN_EVENT.test(body.toString('utf8'))) return { signed: true, event: {} };
    throw error;
  }
}
