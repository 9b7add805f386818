import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { endpoint } from '../../schemas/routes/plan.ts';
import { planRouteAdapters } from '../plans/plan-adapters.ts';
import { hasExpired, toPlan } from '../domain/plan.ts';
import { openPlan } from '../plans/open-plan.ts';
import { reconcile } from '../plans/reconcile.ts';
import { attempt } from '../runtime/attempt.ts';
import { route } from '../runtime/route.ts';

const trigger = routeLabel(endpoint);

export const handler = route(
  endpoint,
  planRouteAdapters,
  async (_, { user, row: known, now }, dependencies) => {
    let row = known;
    if (!row) {
      // Cognito tells only the site's tokens whether the account still exists.
      if (user.isAppToken) return toPlan({ id: user.id, plan: 'free', version: 0 });
      row = await openPlan(dependencies, user, now);
    }
    if (hasExpired(row, now)) {
      const options = { trigger, known: { row } };
      // After a failure, the plan stays: an expired plan and a missed renewal look the same.
      const reconciled = await attempt('plan-not-decided', { user: user.id, trigger }, () =>
        reconcile(dependencies, user.id, now, options),
      );
      row = reconciled?.row ?? row;
    }
    if (!row.last_sign_in_at || Date.parse(row.last_sign_in_at) < user.signedInAt.getTime()) {
      await dependencies.planTable.recordSignIn(user.id, user.signedInAt, now);
      row = { ...row, last_sign_in_at: user.signedInAt.toISOString() };
    }
    return toPlan(row);
  },
);
