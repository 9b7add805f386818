import { useCallback, useState } from 'react';
import type { Call } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { useReloadWhenVisible } from '../api/use-reload-when-visible.ts';
import { useSession } from '../session/session.ts';
import { isPaid } from '../../../schemas/product/offers.ts';
import type { ShownStanding } from './shown-standing.ts';
import type { PlanState, Read } from './plan-status.ts';

/** The sentence for code that is loaded on demand and couldn't be. */
export const CODE_NOT_LOADED =
  'A part of this page did not load. Please check your connection, and reload the page.';

type Answer<T> = { ok: true; value: T } | { ok: false; sentence: string };

const isUnread = ({ kind }: { kind: string }): boolean => kind === 'unread';

/** An answer about the signed-in user. The earlier answer stays while it is read again. */
function useRead<T>(ask: (call: Call) => Promise<Answer<T>>) {
  const session = useSession();
  const load = async (): Promise<Read<T>> => {
    try {
      // The pricing page is public, and its visitors don't load the account code.
      const { call } = await import('../api/call.ts');
      const answer = await ask(call);
      return answer.ok
        ? { kind: 'known', value: answer.value }
        : { kind: 'unread', sentence: answer.sentence };
    } catch {
      return { kind: 'unread', sentence: CODE_NOT_LOADED };
    }
  };
  const { state, reload } = useLoad(session.kind === 'signed-in' ? session.user.id : null, load, isUnread);
  return state.kind === 'loading'
    ? { read: state, reading: false, reload }
    : { read: state.value, reading: state.reloading, reload };
}

export function usePlan(): { state: PlanState; reading: boolean; reload: () => void } {
  const { kind } = useSession();
  const { read, ...rest } = useRead((call) => call('plan'));
  const isVisitor = kind === 'signed-out' || kind === 'unreachable';
  return { state: isVisitor ? { kind: 'visitor' } : read, ...rest };
}

/**
 * The plan of the signed-in user, and its billing at Stripe. Both are read again when the user returns to the
 * page: users buy and cancel in other tabs, and pay invoices on Stripe's pages. Stripe charges on its own.
 */
export function usePlanAndBilling() {
  const { state, reading, reload: reloadPlan } = usePlan();
  const { read, reading: readingBilling, reload: reloadBilling } = useRead((call) => call('billing'));
  const billing = readingBilling && read.kind === 'unread' ? ({ kind: 'loading' } as const) : read;
  const [retried, setRetried] = useState(false);

  const reload = useCallback(() => {
    reloadPlan();
    reloadBilling();
  }, [reloadPlan, reloadBilling]);
  useReloadWhenVisible(state.kind !== 'visitor', reload);

  const standing: ShownStanding =
    billing.kind === 'known' ? billing.value.standing : { kind: billing.kind, ...knownPlan(state) };
  return {
    state,
    billing,
    standing,
    /** Whether the plan is being read again. */
    reading,
    reloadBilling,
    /** Called when the user presses a button that disappears once plan and billing are read. */
    retryPlan: () => {
      setRetried(true);
      reload();
    },
    /** Whether the plan has replaced that button, which had the focus. */
    takesFocus: retried && state.kind === 'known',
  };
}

export type PlanReads = ReturnType<typeof usePlanAndBilling>;

/** The plan alone, while its payments aren't known. */
const knownPlan = (state: PlanState) =>
  state.kind === 'known' && isPaid(state.value.plan) ? { plan: state.value.plan } : {};
