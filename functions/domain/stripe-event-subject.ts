import * as z from 'zod/mini';

/**
 * A Stripe event, as far as it is a hint at whom to look. What it says of a subscription is not read: by
 * the time it arrives it may be old, repeated or out of order.
 */
export interface BillingHint {
  customerId: string;
  /** Where the object itself names the person; otherwise the customer has to be asked. */
  userId: string | undefined;
  /** Whether somebody is about to be billed once more. */
  beforeRenewal: boolean;
  /** When the event was made, Unix seconds. It doesn't order events. */
  created: number;
}

const Metadata = z.nullish(z.object({ user_id: z.optional(z.string()) }));
const BillingObject = z.object({
  object: z.string(),
  // An invoice that is still to come has none.
  id: z.nullish(z.string()),
  customer: z.nullish(z.union([z.string(), z.object({ id: z.string() })])),
  metadata: Metadata,
  // An invoice carries its subscription's metadata here.
  parent: z.nullish(z.object({ subscription_details: z.nullish(z.object({ metadata: Metadata })) })),
});
const BillingEvent = z.object({
  type: z.string(),
  created: z.number(),
  data: z.object({ object: BillingObject }),
});

/** Comes some days before each renewal; how many is a setting of Stripe's, which begins with seven. */
const BEFORE_RENEWAL = 'invoice.upcoming';

/**
 * After these somebody's plan may be another one. Every change of a subscription is a `customer.subscription.*`; the others are
 * here because they may arrive first, and one because what it announces must not happen to somebody who has left. More would only mean more looks at the same person at the same moment.
 */
export const tellingEvents: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  BEFORE_RENEWAL,
]);

/** Whom an event is about; undefined for types that change no plan and for objects without a customer. */
export function billingHint(event: unknown): BillingHint | undefined {
  const parsed = BillingEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const { type, created, data } = parsed.data;
  if (!tellingEvents.has(type)) return undefined;
  const { object, id, customer, metadata, parent } = data.object;
  const customerId = object === 'customer' ? id : typeof customer === 'string' ? customer : customer?.id;
  if (!customerId) return undefined;
  return {
    customerId,
    userId: metadata?.user_id ?? parent?.subscription_details?.metadata?.user_id,
    beforeRenewal: type === BEFORE_RENEWAL,
    created,
  };
}
