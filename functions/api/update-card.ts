import { api } from '../../schemas/api.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { type Billing, stripeBilling } from '../adapters/stripe/billing.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { governing } from '../domain/decide-plan.ts';
import { environment } from '../runtime/environment.ts';
import { billingCustomer } from '../plans/reconcile.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { stillSignedIn } from '../runtime/require-session.ts';

/** The way to Stripe's own page for cards, and from there back to the dashboard. No card ever comes here. */
export const updateCard = ({
  plans,
  billing,
  accounts,
  siteUrl,
}: {
  plans: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'subscriptionsOf' | 'portalForCard'>;
  accounts: Pick<Accounts, 'emailOf'>;
  /** The site's origin. */
  siteUrl: string;
}) =>
  route(api['update-card'], async (_, { user }) => {
    await stillSignedIn(accounts, user);
    const row = await plans.read(user.id);
    const customerId = row && billingCustomer(row);
    // A card without a subscription would be kept for nothing.
    if (!customerId || !governing(await billing.subscriptionsOf(customerId))) {
      throw new Refusal('no-active-subscription');
    }
    const url = await billing.portalForCard(customerId, `${siteUrl}/dashboard`);
    if (!url) throw new Refusal('no-active-subscription');
    return { url };
  });

const settings = environment('readPlans', 'stripe', 'site');
export const handler = updateCard({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  accounts,
  siteUrl: settings.SITE_URL,
});
