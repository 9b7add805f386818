import * as z from 'zod/mini';
import { handledEventTypes, REFUND_FAILED, RENEWAL_UPCOMING } from './handled-event-types.ts';

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
  /** Whether a refund failed. Stripe then keeps the money in our balance, and the payer has nothing back. */
  refundFailed: boolean;
  /** When Stripe created the event, Unix seconds. Events aren't ordered by it. */
  created: number;
}

/**
 * "Object IDs we generate will never exceed 255 characters" (docs.stripe.com/upgrades). Which characters they
 * have isn't documented; every known id fits. Others, such as half of a surrogate pair or `..`, would make
 * Stripe's library throw where it builds an address from them.
 */
const StripeId = z.string().check(z.regex(/^[\w-]{1,255}$/));
/**
 * A Cognito `sub` is a UUID, and user names have at most 128 characters. Printable ASCII without spaces,
 * quotes and backslashes can be a key of DynamoDB and stand in a filter of Cognito.
 */
const UserId = z.string().check(z.regex(/^[!#-[\]-~]{1,128}$/));

const Metadata = z.nullish(z.object({ user_id: z.optional(UserId) }));
const BillingObject = z.object({
  object: z.string(),
  // An upcoming invoice has no id.
  id: z.nullish(StripeId),
  customer: z.nullish(z.union([StripeId, z.object({ id: StripeId })])),
  metadata: Metadata,
  // Where an invoice carries its subscription's metadata.
  parent: z.nullish(z.object({ subscription_details: z.nullish(z.object({ metadata: Metadata })) })),
});
const BillingEvent = z.object({
  type: z.string(),
  created: z.number(),
  data: z.object({ object: BillingObject }),
});

/**
 * Undefined for event types that aren't handled, for objects without a customer, and where the customer or
 * the user has an id that can't be one of ours.
 */
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
    refundFailed: type === REFUND_FAILED,
    created,
  };
}

/** One subject for two events about the same customer. It asks for all that either of them asks for. */
export const mergedSubject = (newer: StripeEventSubject, older: StripeEventSubject): StripeEventSubject => ({
  ...older,
  userId: older.userId ?? newer.userId,
  renewalUpcoming: older.renewalUpcoming || newer.renewalUpcoming,
  refundFailed: older.refundFailed || newer.refundFailed,
  created: Math.min(older.created, newer.created),
});
