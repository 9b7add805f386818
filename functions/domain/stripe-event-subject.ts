import * as z from 'zod/mini';
import { ownerIn } from './mark.ts';
import {
  handledEventTypes,
  ITEM_ADDED,
  PAID,
  RENEWAL_UPCOMING,
  type StuckMoney,
  stuckMoney,
} from './handled-event-types.ts';

/** The user of a Stripe event. Its other content isn't read: it may be old, repeated or out of order. */
export interface StripeEventSubject {
  type: string;
  customerId: string;
  /** The user that the object's mark names. Undefined if only the customer names the user. */
  userId: string | undefined;
  /** Whether the event announces a renewal. */
  renewalUpcoming: boolean;
  /** Whether the next charge may be higher than the last one, or than was mailed. */
  chargeChanges: boolean;
  /** Whether an invoice was paid, which needn't be the latest of its subscription. */
  paid: boolean;
  /** The money that doesn't move until support helps. */
  stuck: readonly StuckMoney[];
  /** Time when Stripe created the event, Unix seconds. Events don't arrive in this order. */
  created: number;
}

/**
 * "Object IDs we generate will never exceed 255 characters" (docs.stripe.com/upgrades). Every known id
 * matches. Other characters, such as half a surrogate pair or `..`, would make Stripe's library throw.
 */
const StripeId = z.string().check(z.regex(/^[\w-]{1,255}$/));
/** ASCII without spaces, quotes and backslashes is safe as a DynamoDB key and in a Cognito filter. */
const UserId = z.string().check(z.regex(/^[!#-[\]-~]{1,128}$/));

const Metadata = z.nullish(z.record(z.string(), z.string()));
const BillingObject = z.object({
  object: z.string(),
  // An upcoming invoice has no id.
  id: z.nullish(StripeId),
  customer: z.nullish(z.union([StripeId, z.object({ id: StripeId })])),
  metadata: Metadata,
  // `send_invoice` of a subscription whose invoices Stripe mails.
  collection_method: z.nullish(z.string()),
  // An invoice carries its subscription's metadata here.
  parent: z.nullish(z.object({ subscription_details: z.nullish(z.object({ metadata: Metadata })) })),
});
const BillingEvent = z.object({
  type: z.string(),
  created: z.number(),
  data: z.object({
    object: BillingObject,
    /** Only of an update: the fields that it has changed. */
    previous_attributes: z.nullish(z.object({ collection_method: z.nullish(z.string()) })),
  }),
});

/** Whether support has arranged that Stripe mails the invoices of a subscription, which we don't support. */
const isMailedFromNowOn = ({ type, data }: z.infer<typeof BillingEvent>): boolean =>
  data.object.collection_method === 'send_invoice' &&
  (type === 'customer.subscription.created' ||
    typeof data.previous_attributes?.collection_method === 'string');

/** Undefined for types that aren't handled, without a customer, and for another stage's or impossible ids. */
export function stripeEventSubject(event: unknown, stage: string): StripeEventSubject | undefined {
  const parsed = BillingEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const { type, created, data } = parsed.data;
  if (!handledEventTypes.has(type)) return undefined;
  const { object, id, customer, metadata, parent } = data.object;
  const customerId = object === 'customer' ? id : typeof customer === 'string' ? customer : customer?.id;
  if (!customerId) return undefined;
  const owners = [metadata, parent?.subscription_details?.metadata].map((each) => ownerIn(each, stage));
  const owner = owners.find(({ kind }) => kind !== 'unmarked');
  if (owner?.kind === 'foreign') return undefined;
  const userId = owner?.kind === 'ours' ? owner.userId : undefined;
  if (userId !== undefined && !UserId.safeParse(userId).success) return undefined;
  return {
    type,
    customerId,
    userId,
    renewalUpcoming: type === RENEWAL_UPCOMING,
    chargeChanges: type === RENEWAL_UPCOMING || type === ITEM_ADDED,
    paid: type === PAID,
    stuck: [
      ...(type in stuckMoney ? [stuckMoney[type as keyof typeof stuckMoney]] : []),
      ...(isMailedFromNowOn(parsed.data) ? (['invoices-mailed'] as const) : []),
    ],
    created,
  };
}

/** One subject for two events about the same customer, with all that either requests. */
export const mergedSubject = (newer: StripeEventSubject, older: StripeEventSubject): StripeEventSubject => ({
  ...older,
  userId: older.userId ?? newer.userId,
  renewalUpcoming: older.renewalUpcoming || newer.renewalUpcoming,
  chargeChanges: older.chargeChanges || newer.chargeChanges,
  paid: older.paid || newer.paid,
  stuck: [...new Set([...older.stuck, ...newer.stuck])],
  created: Math.min(older.created, newer.created),
});
