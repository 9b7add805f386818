import { useLoad } from '../api/use-load.ts';
import { useSession } from '../session/session.ts';
import type { PlanState } from './plan-status.ts';

/** The sentence for code that is loaded on demand and couldn't be. */
export const CODE_NOT_LOADED = 'Please check your connection and try again.';

/** The user's plan. The earlier result stays visible while it is read again, so that nothing moves. */
export function usePlan(): { state: PlanState; reading: boolean; reload: () => void } {
  const session = useSession();
  const userId = session.kind === 'signed-in' ? session.user.id : null;
  const { state, reload } = useLoad(userId, readPlan, isUnknown);
  if (session.kind === 'loading') return { state: { kind: 'loading' }, reading: false, reload };
  if (userId === null) return { state: { kind: 'visitor' }, reading: false, reload };
  if (state.kind === 'loading') return { state, reading: false, reload };
  return { state: state.value, reading: state.reloading, reload };
}

const isUnknown = ({ kind }: PlanState): boolean => kind === 'unknown';

async function readPlan(): Promise<PlanState> {
  try {
    // The pricing page is public, and its visitors don't load the account code.
    const { call } = await import('../api/call.ts');
    const answer = await call('plan');
    return answer.ok ? { kind: 'known', plan: answer.value } : { kind: 'unknown', sentence: answer.sentence };
  } catch {
    return { kind: 'unknown', sentence: CODE_NOT_LOADED };
  }
}
