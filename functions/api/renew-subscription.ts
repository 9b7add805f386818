import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { endpoint } from '../../schemas/routes/renew-subscription.ts';
import { planRouteAdapters } from '../plans/plan-adapters.ts';
import { activeSubscription } from '../domain/decide-plan.ts';
import { toPlan } from '../domain/plan.ts';
import { reconcile, withSubscription } from '../plans/reconcile.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

const trigger = routeLabel(endpoint);

export const handler = route(endpoint, planRouteAdapters, async (_, { user, row, now }, dependencies) => {
  const before =
    row && (await reconcile(dependencies, user.id, now, { trigger, known: { row }, onlyChanges: true }));
  const cancelled = before && activeSubscription(before.subscriptions, before.row);
  if (!before || cancelled?.endsAt === undefined) throw refusal(endpoint, 'nothing-to-renew');
  const known = withSubscription(before, await dependencies.billing.undoCancellation(cancelled));
  const after = await reconcile(dependencies, user.id, now, { trigger, known });
  // The subscription ended between the read and the call, and an ended subscription can't be renewed.
  if (!after || !activeSubscription(after.subscriptions)) throw refusal(endpoint, 'nothing-to-renew');
  return toPlan(after.row);
});
