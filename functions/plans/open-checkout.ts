import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Offer } from '../../schemas/product/offers.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { Checkout } from '../adapters/stripe/checkout-sessions.ts';
import { agreementToday } from '../domain/agreement.ts';
import { customerIdOf } from '../domain/plan.ts';
import { Refusal } from '../runtime/refusal.ts';
import type { User } from '../runtime/read-request.ts';
import { attempt } from '../runtime/attempt.ts';
import { log } from '../runtime/log.ts';
import { enqueueEnding } from './end-billing.ts';
import { enqueueTask } from '../tasks/enqueue-task.ts';
import type { ReconcileDependencies } from './reconcile.ts';

export interface CheckoutDependencies extends ReconcileDependencies, Uses<'sessionUser' | 'siteUrl'> {
  /** Whether Stripe computes the taxes that the price includes. */
  automaticTax: boolean;
}

export interface Buyer {
  user: User;
  /** The user's verified address. */
  email: string;
  row: UserPlan;
  offer: Offer;
}

/** Opens a Checkout Session of the offer, and creates the user's customer if there is none. */
export async function openCheckout(dependencies: CheckoutDependencies, buyer: Buyer, now: Date) {
  const { planTable: plans, billing, sessionUser, siteUrl, automaticTax } = dependencies;
  const { user, row, offer } = buyer;
  const returnUrl = `${siteUrl}/checkout/return?session_id={CHECKOUT_SESSION_ID}`;
  const open = (customerId: string) =>
    billing.createSession({ offer, customerId, userId: row.id, returnUrl, automaticTax });
  const existing = customerIdOf(row);
  const checkout = existing === undefined ? undefined : await open(existing);
  if (checkout && checkout !== 'other-currency') return checkout;
  // The user has no customer yet, or support deleted it in Stripe or charged it in another currency.
  const { customerId, created } = await createCustomer(dependencies, buyer, now);
  const [opened, stillSignedIn] = await Promise.allSettled([
    open(customerId),
    // The account may have been deleted meanwhile. A later deletion will find the customer in the row.
    sessionUser.account(user.accessToken),
  ]);
  if (stillSignedIn.status === 'rejected') {
    if (created) {
      // The new session was not returned yet, and can't be paid without its customer.
      await plans.clearCustomer(row.id, customerId);
      await deleteUnused(dependencies, customerId, row, now);
    }
    throw stillSignedIn.reason;
  }
  if (opened.status === 'rejected') throw opened.reason;
  // Only the deletion of the account can have deleted the new customer.
  if (!opened.value || opened.value === 'other-currency') throw new Refusal('account-closing');
  if (existing !== undefined && checkout === 'other-currency') {
    // Nothing else would end and delete a customer that no row names.
    await enqueueEnding(dependencies, { customerId: existing, userId: row.id, since: now }, now);
    log.error('customer-replaced', { user: row.id, customer: existing, replacement: customerId });
  }
  return opened.value;
}

// Seconds: half an hour, the shortest life that Stripe allows.
const TIME_TO_PAY = 1_800;

/**
 * The user's open session, if it is as a new one would be and the user has time to pay. Otherwise expires it.
 * If Stripe refuses to read or expire it, the user gets a new one: a second payment is refunded.
 */
export async function reusableCheckout(
  { billing, automaticTax }: Pick<CheckoutDependencies, 'billing' | 'automaticTax'>,
  row: UserPlan,
  offer: Offer,
  now: Date,
): Promise<Checkout | undefined> {
  const session = row.checkout_session_id;
  if (!session) return undefined;
  const about = { user: row.id, session };
  const checkout = await attempt('checkout-not-read', about, () => billing.checkout(session));
  if (checkout?.status !== 'open') return undefined;
  const today = agreementToday(offer);
  const isAsToday =
    checkout.automaticTax === automaticTax &&
    checkout.agreement?.offer === today.offer &&
    checkout.agreement.terms === today.terms &&
    checkout.agreement.price === today.price;
  const isLongEnough = checkout.expiresAt - now.getTime() / 1000 >= TIME_TO_PAY;
  if (isAsToday && isLongEnough && checkout.customerId === customerIdOf(row)) return checkout;
  await expireUnused({ billing }, row.id, session);
  return undefined;
}

/** Expires a session that nobody should pay. A failure is only logged: see `reusableCheckout`. */
export const expireUnused = ({ billing }: Uses<'billing'>, user: string, session: string): Promise<void> =>
  attempt('checkout-not-expired', { user, session }, () => billing.expireCheckout(session));

/**
 * Stores a new customer in the row before anything can be bought, so that every payment has a row. Resolves
 * with another tab's customer, not `created` here, if that tab was faster.
 */
async function createCustomer(dependencies: CheckoutDependencies, { email, row }: Buyer, now: Date) {
  const { planTable: plans, billing } = dependencies;
  const customerId = await billing.createCustomer({ userId: row.id, email });
  const stored = await plans.setCustomerIfUnchanged(row.id, customerId, row.billing_customer_id, now);
  if (stored === customerId) return { customerId, created: true };
  await deleteUnused(dependencies, customerId, row, now);
  if (!stored) throw new Refusal('account-closing');
  return { customerId: stored, created: false };
}

async function deleteUnused(
  { billing, tasks }: CheckoutDependencies,
  customerId: string,
  row: UserPlan,
  now: Date,
): Promise<void> {
  try {
    await billing.deleteCustomer(customerId, row);
  } catch (error) {
    await enqueueTask({ tasks }, { work: 'end', customer_id: customerId, user_id: row.id }, error, now);
  }
}
