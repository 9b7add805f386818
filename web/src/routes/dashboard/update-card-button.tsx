import { useState } from 'react';
import { call } from '../../api/call.ts';
import { usePageRestored } from '../../app/page-restored.ts';
import { Button, type ButtonVariant } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useIsMounted } from '../../app/use-is-mounted.ts';

type State = { kind: 'idle' } | { kind: 'leaving' } | { kind: 'refused'; sentence: string };

/** Opens Stripe's page for a new card, or says why that failed. */
export function UpdateCardButton(variant: ButtonVariant) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const isMounted = useIsMounted();

  usePageRestored(() => setState({ kind: 'idle' }));

  const updateCard = async () => {
    if (state.kind === 'leaving') return;
    setState({ kind: 'leaving' });
    const answer = await call('update-card', { body: {} });
    if (!isMounted()) return;
    if (answer.ok) location.assign(answer.value.url);
    else setState({ kind: 'refused', sentence: answer.sentence });
  };

  return (
    <>
      {state.kind === 'refused' && <Notice tone="danger">{state.sentence}</Notice>}
      <Button {...variant} aria-busy={state.kind === 'leaving'} onClick={() => void updateCard()}>
        {state.kind === 'leaving' ? 'Opening Stripe...' : 'Update Card'}
      </Button>
    </>
  );
}
