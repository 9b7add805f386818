import * as z from 'zod/mini';

/**
 * The user a Stripe event is about. The event's other content is not read: it may be old, repeated or out of
 * order by the time it arrives, so the plan is always read from Stripe's API.
 */
export interface StripeEventSubject {
  /** Stripe's event type. */
  type: string;
  customerId: string;
  /** From the object's metadata; undefined where only the customer's metadata names the user. */
  userId: string | undefined;
  /** Whether the event announces a renewal. */
  renewalUpcoming: boolean;
  /** When Stripe created the event, Unix seconds. Events aren't ordered by it. */
  created: number;
}

const Metadata = z.nullish(z.object({ user_id: z.optional(z.string()) }));
const BillingObject = z.object({
  object: z.string(),
  // An upcoming invoice has no id.
  id: z.nullish(z.string()),
  customer: z.nullish(z.union([z.string(), z.object({ id: z.string() })])),
  metadata: Metadata,
  // Where an invoice carries its subscription's metadata.
  parent: z.nullish(z.object({ subscription_details: z.nullish(z.object({ metadata: Metadata })) })),
});
const BillingEvent = z.object({
  type: z.string(),
  created: z.number(),
  data: z.object({ object: BillingObject }),
});

/** Sent some days before each renewal; Stripe's settings say how many, by default seven. */
const RENEWAL_UPCOMING = 'invoice.upcoming';

/**
 * The event types that can change a plan. `customer.subscription.*` cover every change of a subscription. The
 * checkout and invoice types may arrive earlier, and `invoice.upcoming` is where users who have left are
 * found.
 */
export const handledEventTypes: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  RENEWAL_UPCOMING,
]);

/** Undefined for event types that change no plan, and for objects without a customer. */
export function stripeEventSubject(event: unknown): StripeEventSubject | undefined {
  const parsed = BillingEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const { type, created, data } = parsed.data;
  if (!handledEventTypes.has(type)) return undefined;
  const { object, id, customer, metadata, parent } = data.object;
  const customerId = object === 'customer' ? id : typeof customer === 'string' ? customer : customer?.id;
  if (!customerId) return undefined;
  return {
    type,
    customerId,
    userId: metadata?.user_id ?? parent?.subscription_details?.metadata?.user_id,
    renewalUpcoming: type === RENEWAL_UPCOMING,
    created,
  };
}
