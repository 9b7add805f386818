import { api } from '../../schemas/api.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { type Billing, stripeBilling } from '../adapters/stripe/billing.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { type WaitlistTable, waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import type { Subscription } from '../domain/decide-plan.ts';
import { environment } from '../runtime/environment.ts';
import { billingCustomer } from '../plans/reconcile.ts';
import { route } from '../runtime/route.ts';

/** Hands somebody everything we hold of them. Whole or not at all: a part that can't be read fails the call. */
export const exportAccount = ({
  accounts,
  plans,
  billing,
  waitlist,
}: {
  accounts: Accounts;
  plans: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'subscriptionsOf' | 'invoicesOf'>;
  waitlist: Pick<WaitlistTable, 'entryOf'>;
}) =>
  route(api.export, async (_, { user, now }) => {
    const [profile, row] = await Promise.all([accounts.profileOf(user.accessToken), plans.read(user.id)]);
    const customerId = row && billingCustomer(row);
    // Under an address that isn't proven to be theirs stands, perhaps, somebody else.
    const address = profile.emailVerified ? profile.email : undefined;
    const [subscriptions, invoices, entry] = await Promise.all([
      customerId ? billing.subscriptionsOf(customerId) : [],
      customerId ? billing.invoicesOf(customerId) : [],
      address ? waitlist.entryOf(address) : undefined,
    ]);
    return {
      exported_at: now.toISOString(),
      account: {
        id: user.id,
        email: profile.email ?? null,
        email_verified: profile.emailVerified,
        name: profile.name ?? null,
        created_at: row?.created_at ?? null,
        providers: profile.providers,
        has_password: profile.hasPassword,
      },
      plan: row ?? null,
      subscriptions: subscriptions.map(exported),
      invoices,
      waitlist: entry ?? null,
    };
  });

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

const exported = ({ id, status, currentPeriodEnd, endsAt }: Subscription) => ({
  id,
  status,
  current_period_end: isoTime(currentPeriodEnd),
  ends_at: endsAt === undefined ? null : isoTime(endsAt),
});

const settings = environment('readPlans', 'readWaitlist', 'stripe');
export const handler = exportAccount({
  accounts,
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  waitlist: waitlistTable(settings.WAITLIST_TABLE),
});
