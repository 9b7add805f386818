import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { planContradictions } from '../../../domain/plan-contradictions.ts';
import { log } from '../../../runtime/log.ts';

/** Logs the rules that a row breaks, and returns the row. An alarm counts the lines. */
export function checked(row: UserPlan): UserPlan {
  for (const rule of planContradictions(row)) log.error('plan-contradiction', { user: row.id, rule });
  return row;
}
