import { useLoad } from '../api/use-load.ts';
import { useSession } from '../session/session.ts';
import type { Billing } from './plan-news.ts';
import { CODE_NOT_LOADED } from './use-plan.ts';

const LOADING: Billing = { kind: 'loading' };

/** The user's subscription and invoices. Known values stay visible while they are read again. */
export function useBilling(): { billing: Billing; reload: () => void } {
  const session = useSession();
  const userId = session.kind === 'signed-in' ? session.user.id : null;
  const { state, reload } = useLoad(userId, readBilling, isUnread);
  const isShown = state.kind === 'loaded' && (!state.reloading || state.value.kind === 'known');
  return { billing: isShown ? state.value : LOADING, reload };
}

const isUnread = ({ kind }: Billing): boolean => kind === 'unread';

async function readBilling(): Promise<Billing> {
  try {
    // The pricing page is public, and its visitors don't load the account code.
    const { call } = await import('../api/call.ts');
    const answer = await call('billing');
    return answer.ok
      ? { kind: 'known', answer: answer.value }
      : { kind: 'unread', sentence: answer.sentence };
  } catch {
    return { kind: 'unread', sentence: CODE_NOT_LOADED };
  }
}
