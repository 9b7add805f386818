import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { planStatusOf } from '../../plan/plan-status.ts';
import { CODE_NOT_LOADED } from '../../plan/use-plan-and-billing.ts';
import { useIsMounted } from '../../components/page/use-is-mounted.ts';

/** The API client, which visitors don't load; null if it can't be loaded. */
const loadCall = () =>
  import('../../api/call.ts').then(
    ({ call }) => call,
    () => null,
  );

type Renewal = { kind: 'idle' } | { kind: 'sending' } | { kind: 'refused'; sentence: string };

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
  const [renewal, setRenewal] = useState<Renewal>({ kind: 'idle' });
  const finish = () => {
    setRenewal({ kind: 'idle' });
    onRenewed();
  };
  const renew = async () => {
    setRenewal({ kind: 'sending' });
    const call = await loadCall();
    if (!call) return setRenewal({ kind: 'refused', sentence: CODE_NOT_LOADED });
    const answer = await call('renew-subscription', { body: {} });
    if (answer.ok) return finish();
    if (answer.code !== 'nothing-to-renew') {
      return setRenewal({ kind: 'refused', sentence: answer.sentence });
    }
    // Another tab has renewed the plan, or the plan has ended and Plus can be bought again.
    const plan = await call('plan');
    if (!plan.ok) return setRenewal({ kind: 'refused', sentence: plan.sentence });
    const renewed = planStatusOf({ kind: 'known', value: plan.value }).kind === 'renews';
    if (!isMounted()) return undefined;
    return renewed ? finish() : navigate(checkout);
  };
  return (
    <>
      {renewal.kind === 'refused' && <Notice tone="danger">{renewal.sentence}</Notice>}
      <Button wide disabled={reading || renewal.kind === 'sending'} onClick={() => void renew()}>
        Renew Plan
      </Button>
    </>
  );
}
