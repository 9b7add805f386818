import type { UserPlan } from '../../schemas/plan.ts';
import { plans as offers } from '../../schemas/product.ts';
import type { SessionUser } from '../adapters/cognito/session-user.ts';
import type { Checkout } from '../adapters/stripe/billing.ts';
import { customerIdOf } from '../domain/plan.ts';
import { Refusal } from '../runtime/refusal.ts';
import type { User } from '../runtime/route.ts';
import type { ReconcileDependencies } from './reconcile.ts';

export interface CheckoutDependencies extends ReconcileDependencies {
  sessionUser: SessionUser;
  /** The site's origin. */
  siteUrl: string;
}

export interface Buyer {
  user: User;
  /** The user's verified address. */
  email: string;
  row: UserPlan;
}

/** Opens a Checkout Session of Plus, and creates the user's customer if there is none. */
export async function openCheckout(
  dependencies: CheckoutDependencies,
  buyer: Buyer,
  now: Date,
): Promise<Checkout> {
  const { billing, siteUrl } = dependencies;
  const { row } = buyer;
  const returnUrl = `${siteUrl}/checkout/return?session_id={CHECKOUT_SESSION_ID}`;
  const open = (customerId: string) => billing.openCheckout({ customerId, userId: row.id, returnUrl });
  const existing = customerIdOf(row);
  const checkout = existing && (await open(existing));
  if (checkout) return checkout;
  // The user has no customer yet, or support deleted it in Stripe.
  const opened = await open(await createCustomer(dependencies, buyer, now));
  // Only the deletion of the account can have deleted the new customer.
  if (!opened) throw new Refusal('account-closing');
  return opened;
}

/** The user's open session, if it still has today's price and the user's customer. Expires it otherwise. */
export async function reusableCheckout(
  { billing }: Pick<CheckoutDependencies, 'billing'>,
  row: UserPlan | undefined,
): Promise<Checkout | undefined> {
  const checkout = row?.checkout_session_id && (await billing.checkout(row.checkout_session_id));
  if (!checkout || checkout.status !== 'open') return undefined;
  if (checkout.amount === offers.plus.priceInCents && checkout.customerId === customerIdOf(row)) {
    return checkout;
  }
  await billing.expireCheckout(checkout.id);
  return undefined;
}

/**
 * Creates a customer and stores it in the row before anything can be bought, so that every payment has a row.
 * Resolves with another tab's customer where that tab was faster.
 */
async function createCustomer(
  { plans, billing, sessionUser }: CheckoutDependencies,
  { user, email, row }: Buyer,
  now: Date,
): Promise<string> {
  const created = await billing.createCustomer({ userId: row.id, email });
  const stored = await plans.adoptCustomer(row.id, created, row.billing_customer_id, now);
  if (stored !== created) {
    await billing.deleteCustomer(created);
    if (!stored) throw new Refusal('account-closing');
    return stored;
  }
  try {
    // The account may have been deleted meanwhile, and its row opened again by a concurrent read. A deletion
    // that begins after this check finds the customer in the row.
    await sessionUser.verifiedEmail(user.accessToken);
  } catch (error) {
    await billing.deleteCustomer(created);
    throw error;
  }
  return created;
}
