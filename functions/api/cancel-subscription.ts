import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { endpoint } from '../../schemas/routes/cancel-subscription.ts';
import { planRouteAdapters } from '../plans/plan-adapters.ts';
import { planNoticeAdapters } from '../notices/notice-adapters.ts';
import { cancelPlus } from '../plans/cancel-plus.ts';
import { sendPlanNoticesSoon } from '../notices/send-plan-notices-soon.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

export const handler = route(
  endpoint,
  { ...planRouteAdapters, ...planNoticeAdapters },
  async ({ subscription_id }, { row, account, now }, dependencies) => {
    if (!row) throw refusal(endpoint, 'no-active-subscription');
    const options = { trigger: routeLabel(endpoint), subscription_id };
    const { endsAt, ended, after } = await cancelPlus(dependencies, row, now, options);
    if (after) await sendPlanNoticesSoon(dependencies, after, async () => account.address, now);
    return { success: true as const, current_period_end: endsAt, ...(ended && { ended: true as const }) };
  },
);
