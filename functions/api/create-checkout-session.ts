import { api } from '../../schemas/api.ts';
import { plans as offers } from '../../schemas/product.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { type Checkout, stripeBilling } from '../adapters/stripe/billing.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { isClosing } from '../domain/closing.ts';
import { governing, isDormant, isGivenByHand } from '../domain/decide-plan.ts';
import { environment } from '../runtime/environment.ts';
import { openRow } from '../plans/open-plan.ts';
import { billingCustomer, type PlanKeeping, reconcile } from '../plans/reconcile.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route, type User } from '../runtime/route.ts';

interface Dependencies extends PlanKeeping {
  accounts: Accounts;
  /** The site's origin. */
  siteUrl: string;
}

export const createCheckoutSession = ({ plans, billing, accounts, siteUrl }: Dependencies) => {
  /** Refuses whoever has Plus; resolves with the row of whoever can buy it, after ending what stands in the way. */
  const rowOfBuyer = async (user: User, now: Date): Promise<UserPlan> => {
    const look = () => reconcile({ plans, billing }, user.id, now);
    const reconciled = (await look()) ?? (await openRow({ plans, accounts }, user, now).then(look));
    if (!reconciled || isClosing(reconciled.row, now)) throw new Refusal('account-closing');
    const { row, subscriptions } = reconciled;
    const subscription = governing(subscriptions, row);
    if (subscription) {
      throw new Refusal(subscription.endsAt === undefined ? 'already-subscribed' : 'renew-instead');
    }
    if (isGivenByHand(row) && !row.plan_expires_at) throw new Refusal('already-subscribed');
    // One that is unpaid, paused or incomplete would come back to life beside the new one when its invoice is paid.
    for (const dormant of subscriptions.filter(isDormant)) await billing.endUnpaid(dormant);
    return row;
  };

  /**
   * A new customer of this person, kept before it can buy anything: what is paid always has a row that leads to it.
   * Another tab's, where that was faster.
   */
  const newCustomer = async (row: UserPlan, email: string, user: User, now: Date): Promise<string> => {
    const made = await billing.createCustomer({ userId: row.id, email });
    const kept = await plans.adoptCustomer(row.id, made, row.billing_customer_id, now);
    if (kept !== made) {
      await billing.deleteCustomer(made);
      if (!kept) throw new Refusal('account-closing');
      return kept;
    }
    try {
      // The account may be gone by now, and its row opened once more by a look that was on its way. A deletion that
      // begins after this finds the customer in the row.
      await accounts.emailOf(user.accessToken);
    } catch (error) {
      await billing.deleteCustomer(made);
      throw error;
    }
    return made;
  };

  const openCheckout = async (row: UserPlan, email: string, user: User, now: Date): Promise<Checkout> => {
    const returnUrl = `${siteUrl}/checkout/return?session_id={CHECKOUT_SESSION_ID}`;
    let customerId = billingCustomer(row);
    const checkout = customerId && (await billing.openCheckout({ customerId, userId: row.id, returnUrl }));
    if (checkout) return checkout;
    // None yet, or somebody deleted it in Stripe.
    customerId = await newCustomer(row, email, user, now);
    const opened = await billing.openCheckout({ customerId, userId: row.id, returnUrl });
    // Nobody but a deletion is that fast.
    if (!opened) throw new Refusal('account-closing');
    return opened;
  };

  /** The one open session of this person, if it still sells what the site shows. */
  const standingCheckout = async (row: UserPlan | undefined): Promise<Checkout | undefined> => {
    const checkout = row?.checkout_session_id && (await billing.checkout(row.checkout_session_id));
    if (!checkout || checkout.status !== 'open') return undefined;
    if (checkout.amount === offers.plus.priceInCents && checkout.customerId === billingCustomer(row)) {
      return checkout;
    }
    await billing.expireCheckout(checkout.id);
    return undefined;
  };

  return route(api['create-checkout-session'], async (order, { user, now }) => {
    if (order.planName.toLowerCase() !== 'plus') throw new Refusal('unknown-plan');
    if (order.userId !== user.id) throw new Refusal('not-yours');
    const email = await accounts.emailOf(user.accessToken);
    if (!email || order.userEmail.toLowerCase() !== email) throw new Refusal('not-yours');

    // The session is read before the subscriptions: one that is paid in between shows as a subscription, and
    // one that was found closed can't be paid any more. The other way round both would be missed.
    const before = await plans.read(user.id);
    const standing = await standingCheckout(before);
    const row = await rowOfBuyer(user, now);
    if (standing) return { clientSecret: secretOf(standing) };

    const opened = await openCheckout(row, email, user, now);
    if (await plans.adoptCheckout(user.id, opened.id, before?.checkout_session_id, now)) {
      return { clientSecret: secretOf(opened) };
    }
    // Another tab was faster: its session is the one that may be paid, unless it was paid already, or the account is
    // being deleted there.
    await billing.expireCheckout(opened.id);
    const winner = await standingCheckout(await plans.read(user.id));
    await rowOfBuyer(user, now);
    if (winner) return { clientSecret: secretOf(winner) };
    throw new Error('The checkout opened in another tab has ended already.');
  });
};

function secretOf({ id, clientSecret }: Checkout): string {
  if (!clientSecret) throw new Error(`The open session ${id} came without a client secret.`);
  return clientSecret;
}

const settings = environment('writePlans', 'stripe', 'site');
export const handler = createCheckoutSession({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  accounts,
  siteUrl: settings.SITE_URL,
});
