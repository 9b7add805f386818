import { useNavigate } from 'react-router-dom';
import { type Outcome, refused } from '../../account/outcome.ts';
import { ActionButton } from '../../components/account/action-button.tsx';
import { planStatusOf } from '../../plan/plan-status.ts';
import { CODE_NOT_LOADED } from '../../plan/use-plan-and-billing.ts';
import { useIsMounted } from '../../components/page/use-is-mounted.ts';

export interface RenewButtonProps {
  /** The checkout of the plan, for when it has ended meanwhile. */
  checkout: string;
  /** Whether the plan is being read again. */
  reading: boolean;
  onRenewed: () => void;
}

export function RenewButton({ checkout, reading, onRenewed }: RenewButtonProps) {
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const renew = async (): Promise<Outcome> => {
    // Visitors don't load the API client.
    const loaded = await import('../../api/call.ts').catch(() => null);
    if (!loaded) return refused(CODE_NOT_LOADED);
    const { call } = loaded;
    const answer = await call('renew-subscription', { body: {} });
    if (!answer.ok) {
      if (answer.code !== 'nothing-to-renew') return refused(answer.sentence);
      // Another tab has renewed the plan, or the plan has ended and Plus can be bought again.
      const plan = await call('plan');
      if (!plan.ok) return refused(plan.sentence);
      const hasEnded = planStatusOf({ kind: 'known', value: plan.value }).kind !== 'renews';
      if (hasEnded && isMounted()) await navigate(checkout);
      if (hasEnded) return { kind: 'done' };
    }
    onRenewed();
    return { kind: 'done' };
  };
  return (
    <ActionButton wide work={renew} busy="Renew Plan" disabled={reading}>
      Renew Plan
    </ActionButton>
  );
}
