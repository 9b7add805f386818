import { api } from '../../schemas/api.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { type Billing, stripeBilling } from '../adapters/stripe/billing.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { governing, isDormant, type Subscription } from '../domain/decide-plan.ts';
import { environment } from '../runtime/environment.ts';
import { billingCustomer } from '../plans/reconcile.ts';
import { route } from '../runtime/route.ts';
import { stillSignedIn } from '../runtime/require-session.ts';

/** What the caller pays and has paid, asked of Stripe itself: for the page that shows it, and for nothing that is decided. */
export const readBilling = ({
  plans,
  billing,
  accounts,
}: {
  plans: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'subscriptionsOf' | 'invoicesOf'>;
  accounts: Pick<Accounts, 'emailOf'>;
}) =>
  route(api.billing, async (_, { user }) => {
    await stillSignedIn(accounts, user);
    const row = await plans.read(user.id);
    const customerId = row && billingCustomer(row);
    if (!customerId) return { subscription: null, invoices: [] };
    const [subscriptions, invoices] = await Promise.all([
      billing.subscriptionsOf(customerId),
      billing.invoicesOf(customerId),
    ]);
    const subscription = governing(subscriptions, row) ?? subscriptions.find(isDormant);
    return { subscription: subscription ? shown(subscription) : null, invoices };
  });

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

const shown = ({ status, currentPeriodEnd, endsAt }: Subscription) => ({
  status,
  currentPeriodEnd: isoTime(currentPeriodEnd),
  endsAt: endsAt === undefined ? null : isoTime(endsAt),
});

const settings = environment('readPlans', 'stripe');
export const handler = readBilling({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  accounts,
});
