import { api } from '../../schemas/api.ts';
import { plans as offers } from '../../schemas/product.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import { type Accounts, accounts } from '../adapters/accounts.ts';
import { type Checkout, stripeBilling } from '../adapters/billing.ts';
import { plansTable } from '../adapters/plans-table.ts';
import { governing, isDormant, isGivenByHand } from '../domain/decide-plan.ts';
import { environment } from '../environment.ts';
import { billingCustomer, type PlanKeeping, reconcile } from '../reconcile.ts';
import { Refusal } from '../refusal.ts';
import { route } from '../route.ts';

interface Dependencies extends PlanKeeping {
  accounts: Accounts;
  /** The site's origin. */
  siteUrl: string;
}

export const createCheckoutSession = ({ plans, billing, accounts, siteUrl }: Dependencies) => {
  /** Refuses whoever has Plus; resolves with the row of whoever can buy it, after ending what stands in the way. */
  const rowOfBuyer = async (userId: string, now: Date): Promise<UserPlan> => {
    const reconciled =
      (await reconcile({ plans, billing }, userId, now)) ??
      (await plans.open(userId, now).then(() => reconcile({ plans, billing }, userId, now)));
    if (!reconciled) throw new Refusal('not-found');
    const { row, subscriptions } = reconciled;
    const subscription = governing(subscriptions);
    if (subscription) {
      throw new Refusal(subscription.endsAt === undefined ? 'already-subscribed' : 'renew-instead');
    }
    if (isGivenByHand(row) && !row.plan_expires_at) throw new Refusal('already-subscribed');
    // One that is unpaid, paused or incomplete would come back to life beside the new one when its invoice is paid.
    for (const dormant of subscriptions.filter(isDormant)) await billing.endSubscription(dormant.id);
    return row;
  };

  const openCheckout = async (row: UserPlan, email: string): Promise<Checkout> => {
    const returnUrl = `${siteUrl}/checkout/return?session_id={CHECKOUT_SESSION_ID}`;
    let customerId = billingCustomer(row);
    const checkout = customerId && (await billing.openCheckout({ customerId, userId: row.id, returnUrl }));
    if (checkout) return checkout;
    // None yet, or somebody deleted it in Stripe. The customer is kept before it can buy anything: what is
    // paid always has a row that leads to it.
    customerId = await plans.adoptCustomer(
      row.id,
      await billing.createCustomer({ userId: row.id, email }),
      row.billing_customer_id,
    );
    const opened = await billing.openCheckout({ customerId, userId: row.id, returnUrl });
    if (!opened) throw new Error(`Stripe doesn't know the customer ${customerId} that it has just made.`);
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
    const row = await rowOfBuyer(user.id, now);
    if (standing) return { clientSecret: secretOf(standing) };

    const opened = await openCheckout(row, email);
    if (await plans.adoptCheckout(user.id, opened.id, before?.checkout_session_id)) {
      return { clientSecret: secretOf(opened) };
    }
    // Another tab was faster: its session is the one that may be paid, unless it was paid already.
    await billing.expireCheckout(opened.id);
    const winner = await standingCheckout(await plans.read(user.id));
    if (winner) return { clientSecret: secretOf(winner) };
    await rowOfBuyer(user.id, now);
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
