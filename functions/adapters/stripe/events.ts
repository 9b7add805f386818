import { handledEventTypes } from '../../domain/stripe-event-subject.ts';
import type { Billing } from './billing.ts';
import type { Connection } from './connection.ts';
import { stripeErrors } from './refusals.ts';
import { signatureHeader } from './signature-header.ts';

const THIN_EVENT = /"object"\s*:\s*"v2\.core\.event"/;

type Events = Pick<Billing, 'verifyEvent' | 'eventsBetween'>;

export const events = (connection: () => Promise<Connection>): Events => ({
  async verifyEvent(body, signature) {
    const header = signatureHeader(signature);
    if (header === undefined) return undefined;
    const { stripe, webhookSecret } = await connection();
    try {
      return stripe.webhooks.constructEvent(body, header, webhookSecret);
    } catch (error) {
      const errors = await stripeErrors();
      if (error instanceof errors.StripeSignatureVerificationError) return undefined;
      // Signed, but no JSON of an event: a retry can't help.
      if (error instanceof SyntaxError) return undefined;
      // The library checks the signature and then throws for thin events (API v2), which we don't use.
      if (THIN_EVENT.test(body.toString('utf8'))) return {};
      throw error;
    }
  },

  async *eventsBetween(from, to) {
    const { stripe } = await connection();
    yield* stripe.events.list({
      types: [...handledEventTypes],
      created: { gte: from, lt: to },
      limit: 100,
    });
  },
});
