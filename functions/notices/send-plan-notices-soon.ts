import { dueNotices } from '../domain/plan-notices.ts';
import { attempt } from '../runtime/attempt.ts';
import type { Decided, PlanNoticeDependencies } from './send-plan-notices.ts';

/**
 * Mails the user at once what a decision has changed. Never throws: the next run of `billing-tasks` tries
 * again. Does nothing without facts: another call has decided.
 */
export async function sendPlanNoticesSoon(
  dependencies: PlanNoticeDependencies,
  { row, facts }: Pick<Decided, 'row'> & Partial<Decided>,
  addressOf: () => Promise<string | undefined>,
  now: Date,
): Promise<void> {
  if (!facts || dueNotices(row, facts, now).length === 0) return;
  await attempt('plan-notices-not-sent', { user: row.id }, async () => {
    // Imported on demand: most decisions change nothing that is mailed.
    const { sendPlanNotices } = await import('./send-plan-notices.ts');
    await sendPlanNotices(dependencies, { row, facts }, addressOf, now);
  });
}
