import * as z from 'zod/mini';
import { hasEntitlingStatus } from './subscription.ts';

const CHANGED = 'customer.subscription.updated';

/** The Stripe event types after which a user may no longer have a right to Plus. */
export const endingEventTypes: ReadonlySet<string> = new Set([
  'checkout.session.async_payment_failed',
  'customer.deleted',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  CHANGED,
]);

const Event = z.object({
  type: z.string(),
  data: z.object({ object: z.object({ status: z.nullish(z.string()) }) }),
});

/**
 * Whether an event may end Plus. Most changes of a subscription, such as renewals, don't. The result is only
 * a reason to ask Stripe, since the event can be old.
 */
export function mayEndPlus(event: unknown): boolean {
  const { success, data } = Event.safeParse(event);
  if (!success || !endingEventTypes.has(data.type)) return false;
  return data.type !== CHANGED || !hasEntitlingStatus({ status: data.data.object.status ?? '' });
}
