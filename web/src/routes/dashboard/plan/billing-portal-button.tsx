import { type ReactNode, useState } from 'react';
import type { PortalPage } from '../../../../../schemas/shapes/billing.ts';
import { call } from '../../../api/call.ts';
import { usePageRestored } from '../../../components/page/page-restored.ts';
import { Button, type ButtonVariant } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useIsMounted } from '../../../components/page/use-is-mounted.ts';

type State = { kind: 'idle' } | { kind: 'leaving' } | { kind: 'refused'; sentence: string };

interface BillingPortalButtonProps extends ButtonVariant {
  page: PortalPage;
  children: ReactNode;
}

/** Opens a page of Stripe's customer portal, or says why that failed. */
export function BillingPortalButton({ page, children, ...variant }: BillingPortalButtonProps) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const isMounted = useIsMounted();

  usePageRestored(() => setState({ kind: 'idle' }));

  const open = async () => {
    if (state.kind === 'leaving') return;
    setState({ kind: 'leaving' });
    const answer = await call('billing-portal', { body: { page } });
    if (!isMounted()) return;
    if (answer.ok) location.assign(answer.value.url);
    else setState({ kind: 'refused', sentence: answer.sentence });
  };

  return (
    <>
      {state.kind === 'refused' && <Notice tone="danger">{state.sentence}</Notice>}
      <Button {...variant} aria-busy={state.kind === 'leaving'} onClick={() => void open()}>
        {state.kind === 'leaving' ? 'Opening Stripe...' : children}
      </Button>
    </>
  );
}
