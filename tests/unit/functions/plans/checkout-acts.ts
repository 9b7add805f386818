import type { Checkout } from '../../../../functions/adapters/stripe/checkout-sessions.ts';
import { handler as createCheckoutSession } from '../../../../functions/api/create-checkout-session.ts';
import { order } from '../../../fixtures/fakes/ada-on-free.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { ada, billing } from '../ada.ts';

export const checkOut = (body: object = order, user = 'ada') =>
  call(createCheckoutSession.with(ada), { user, body });

/** Changes every session at Stripe. */
export function changeSessions(fields: Partial<Checkout>): void {
  for (const [id, session] of billing.checkouts) billing.checkouts.set(id, { ...session, ...fields });
}

/** A session of Ada's that was paid, whose id it returns. */
export async function paidSession(fields: Partial<Checkout> = {}): Promise<string> {
  const session = await billing.createSession({ customerId: 'cus_ada' });
  const id = String(session?.id);
  billing.pay(id);
  billing.checkouts.set(id, { ...billing.checkouts.get(id)!, ...fields });
  return id;
}
