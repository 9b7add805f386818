import type { UserPlan } from '../../schemas/rows/plan.ts';
import { attempt } from '../runtime/attempt.ts';
import { hasNotices } from './enqueue-plan-notices.ts';
import type { PlanNoticeDependencies } from './send-plan-notices.ts';

/**
 * Mails the user at once what a decision has changed, rather than with the next run of `billing-tasks`. Never
 * throws: after a failure that run tries again. `row`: as decided.
 */
export async function sendPlanNoticesSoon(
  dependencies: PlanNoticeDependencies,
  row: UserPlan,
  addressOf: () => Promise<string | undefined>,
  now: Date,
): Promise<void> {
  if (!hasNotices(row, now)) return;
  await attempt('plan-notices-not-sent', { user: row.id }, async () => {
    // Imported on demand: most decisions change nothing that is mailed.
    const { sendPlanNotices } = await import('./send-plan-notices.ts');
    await sendPlanNotices(dependencies, row.id, addressOf, now);
  });
}
