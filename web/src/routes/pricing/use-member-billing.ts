import type { BillingOverview } from '../../../../schemas/billing.ts';
import { useLoad } from '../../api/use-load.ts';
import { useSession } from '../../session/session.ts';

/** The signed-in user's billing. Undefined while it loads; null if it can't be read. */
export function useMemberBilling(): BillingOverview | null | undefined {
  const session = useSession();
  const userId = session.kind === 'signed-in' ? session.user.id : null;
  const { state } = useLoad(userId, readBilling);
  return state.kind === 'loaded' ? state.value : undefined;
}

async function readBilling(): Promise<BillingOverview | null> {
  try {
    // The page is public: visitors don't load the account code.
    const { call } = await import('../../api/call.ts');
    const answer = await call('billing');
    return answer.ok ? answer.value : null;
  } catch {
    return null;
  }
}
