import { api, routeLabel } from '../../schemas/api.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import { plans as offers } from '../../schemas/product.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import type { Checkout } from '../adapters/stripe/billing.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { isClosing } from '../domain/closing.ts';
import { activeSubscription, isComplimentary } from '../domain/decide-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { isResumable } from '../domain/subscription.ts';
import { openPlan } from '../plans/open-plan.ts';
import { reconcile, type ReconcileDependencies } from '../plans/reconcile.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route, type User } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends ReconcileDependencies {
  sessionUser: SessionUser;
  /** The site's origin. */
  siteUrl: string;
}

const endpoint = api['create-checkout-session'];
const trigger = routeLabel(endpoint);

export const createCheckoutSession = ({ plans, billing, sessionUser, siteUrl }: Dependencies) => {
  /** Refuses a user who has Plus. Otherwise cancels what could become active beside a new subscription. */
  const requireBuyer = async (user: User, now: Date): Promise<UserPlan> => {
    const read = () => reconcile({ plans, billing }, user.id, now, { trigger });
    const reconciled = (await read()) ?? (await openPlan({ plans, sessionUser }, user, now).then(read));
    if (!reconciled || isClosing(reconciled.row, now)) throw new Refusal('account-closing');
    const { row, subscriptions } = reconciled;
    const subscription = activeSubscription(subscriptions, row);
    if (subscription) {
      throw new Refusal(subscription.endsAt === undefined ? 'already-subscribed' : 'renew-instead');
    }
    if (isComplimentary(row) && !row.plan_expires_at) throw new Refusal('already-subscribed');
    // Paying the invoice of an unpaid, paused or incomplete subscription would make it active beside the new one.
    for (const resumable of subscriptions.filter(isResumable)) await billing.cancelUnpaid(resumable);
    return row;
  };

  /**
   * Creates a customer and stores it in the row before anything can be bought, so that every payment has a row.
   * Resolves with another tab's customer where that tab was faster.
   */
  const createCustomer = async (row: UserPlan, email: string, user: User, now: Date): Promise<string> => {
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
  };

  const openCheckout = async (row: UserPlan, email: string, user: User, now: Date): Promise<Checkout> => {
    const returnUrl = `${siteUrl}/checkout/return?session_id={CHECKOUT_SESSION_ID}`;
    const open = (customerId: string) => billing.openCheckout({ customerId, userId: row.id, returnUrl });
    const existing = customerIdOf(row);
    const checkout = existing && (await open(existing));
    if (checkout) return checkout;
    // The user has no customer yet, or support deleted it in Stripe.
    const opened = await open(await createCustomer(row, email, user, now));
    // Only the deletion of the account can have deleted the new customer.
    if (!opened) throw new Refusal('account-closing');
    return opened;
  };

  /** The user's open session, if it still has today's price and the user's customer. Expires it otherwise. */
  const reusableCheckout = async (row: UserPlan | undefined): Promise<Checkout | undefined> => {
    const checkout = row?.checkout_session_id && (await billing.checkout(row.checkout_session_id));
    if (!checkout || checkout.status !== 'open') return undefined;
    if (checkout.amount === offers.plus.priceInCents && checkout.customerId === customerIdOf(row)) {
      return checkout;
    }
    await billing.expireCheckout(checkout.id);
    return undefined;
  };

  return route(endpoint, async (order, { user, now }) => {
    if (order.planName.toLowerCase() !== 'plus') throw new Refusal('unknown-plan');
    if (order.userId !== user.id) throw new Refusal('not-yours');
    const email = await sessionUser.verifiedEmail(user.accessToken);
    if (!email || order.userEmail.toLowerCase() !== email) throw new Refusal('not-yours');

    // The session is read before the subscriptions. A session paid in between shows as a subscription, and a
    // session found closed can't be paid any more. In the other order, both would be missed.
    const before = await plans.read(user.id);
    const existing = await reusableCheckout(before);
    const row = await requireBuyer(user, now);
    if (existing) return { clientSecret: clientSecretOf(existing) };

    const opened = await openCheckout(row, email, user, now);
    if (await plans.adoptCheckout(user.id, opened.id, before?.checkout_session_id, now)) {
      return { clientSecret: clientSecretOf(opened) };
    }
    // Another tab was faster: only its session may be paid, unless it was paid already or the account is being
    // deleted there.
    await billing.expireCheckout(opened.id);
    const winner = await reusableCheckout(await plans.read(user.id));
    await requireBuyer(user, now);
    if (winner) return { clientSecret: clientSecretOf(winner) };
    throw new Error('The checkout opened in another tab has ended already.');
  });
};

function clientSecretOf({ id, clientSecret }: Checkout): string {
  if (!clientSecret) throw new Error(`The open session ${id} has no client secret.`);
  return clientSecret;
}

export const handler = withEnvironment(endpoint.needs, (environment) =>
  createCheckoutSession({
    plans: plansTable(environment.PLANS_TABLE),
    billing: stripeBilling(environment),
    sessionUser: cognitoSessionUser(),
    siteUrl: environment.SITE_URL,
  }),
);
