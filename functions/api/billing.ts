import { endpoint } from '../../schemas/routes/billing.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { plansTable, type PlansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { activeSubscription } from '../domain/decide-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { standingOf } from '../domain/standing.ts';
import { isOpenContract } from '../domain/subscription.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  planTable: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'subscriptionsOf' | 'nextChargeOf' | 'paymentMethodOf' | 'invoicesOf'>;
  sessionUser: Pick<SessionUser, 'profile'>;
}

/** The caller's plan, payments and invoices, straight from Stripe. For display only: no plan is written. */
export const readBilling = ({ planTable, billing, sessionUser }: Dependencies) =>
  route(endpoint, { sessionUser, planTable }, async (_, { user, row: known, now }) => {
    const row = known ?? { id: user.id, plan: 'free' as const, version: 0 };
    const customerId = customerIdOf(row);
    const readSubscriptions = async (of: string) => {
      const subscriptions = await billing.subscriptionsOf(of, row);
      const active = activeSubscription(subscriptions, row);
      const charged = active ?? subscriptions.find(isOpenContract);
      const renews = standingOf(row, subscriptions, now).kind === 'renews';
      const [paymentMethod, next] = await Promise.all([
        charged && billing.paymentMethodOf(charged),
        active && renews ? billing.nextChargeOf(active) : undefined,
      ]);
      return { subscriptions, paymentMethod, next };
    };
    const [{ subscriptions, paymentMethod, next }, invoices] =
      customerId === undefined
        ? [{ subscriptions: [], paymentMethod: undefined, next: undefined }, []]
        : await Promise.all([readSubscriptions(customerId), billing.invoicesOf(customerId)]);
    return {
      standing: standingOf(row, subscriptions, now, { invoices, next }),
      paymentMethod: paymentMethod ?? null,
      invoices,
    };
  });

export const handler = withEnvironment(endpoint, (environment) =>
  readBilling({
    planTable: plansTable(environment.USER_PLANS_TABLE),
    billing: stripeBilling(environment),
    sessionUser: cognitoSessionUser(),
  }),
);
