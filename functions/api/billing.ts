import { endpoint } from '../../schemas/routes/billing.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { planTable } from '../adapters/tables.ts';
import { cognitoSessionUser } from '../adapters/cognito/session-user.ts';
import { activeSubscription } from '../domain/decide-plan.ts';
import { customerIdOf } from '../domain/plan.ts';
import { standingOf } from '../domain/standing.ts';
import { askedFacts } from '../plans/asked-facts.ts';
import { isOpenContract } from '../domain/subscription.ts';
import { route } from '../runtime/route.ts';

const adapters = { planTable, billing: stripeBilling, sessionUser: cognitoSessionUser };

/** The caller's plan, payments and invoices, straight from Stripe. For display only: no plan is written. */
export const handler = route(endpoint, adapters, async (_, { user, row: known, now }, dependencies) => {
  const row = known ?? { id: user.id, plan: 'free' as const, version: 0 };
  const customerId = customerIdOf(row);
  const readSubscriptions = async (of: string) => {
    const subscriptions = await dependencies.billing.subscriptionsOf(of, row);
    const active = activeSubscription(subscriptions, row);
    const charged = active ?? subscriptions.find(isOpenContract);
    const [paymentMethod, asked] = await Promise.all([
      charged && dependencies.billing.paymentMethodOf(charged),
      active && askedFacts(dependencies.billing, active, subscriptions),
    ]);
    return { subscriptions, paymentMethod, asked };
  };
  const [{ subscriptions, paymentMethod, asked }, invoices] =
    customerId === undefined
      ? [{ subscriptions: [], paymentMethod: undefined, asked: undefined }, []]
      : await Promise.all([readSubscriptions(customerId), dependencies.billing.invoicesOf(customerId)]);
  return {
    standing: standingOf(row, subscriptions, now, {
      ...asked,
      isProcessing: invoices.some(({ processing }) => processing),
    }),
    paymentMethod: paymentMethod ?? null,
    invoices,
  };
});
