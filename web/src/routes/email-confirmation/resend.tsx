import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { resendConfirmation } from '../../session/account.ts';

type Resending =
  | { kind: 'idle' }
  | { kind: 'sending' }
  | { kind: 'sent' }
  | { kind: 'refused'; message: string };

// Specification, section 9.
const SENT_SHOWS = 3_000;

export function Resend({ email }: { email: string }) {
  const [state, setState] = useState<Resending>({ kind: 'idle' });

  useEffect(() => {
    if (state.kind !== 'sent') return undefined;
    const timer = setTimeout(() => setState({ kind: 'idle' }), SENT_SHOWS);
    return () => clearTimeout(timer);
  }, [state]);

  const resend = async () => {
    setState({ kind: 'sending' });
    const outcome = await resendConfirmation(email);
    setState(outcome.kind === 'done' ? { kind: 'sent' } : outcome);
  };

  return (
    <>
      {state.kind === 'sent' && <Notice tone="well">Confirmation email sent!</Notice>}
      {state.kind === 'refused' && <Notice tone="wrong">{state.message}</Notice>}
      <Button tone="secondary" wide disabled={state.kind === 'sending'} onClick={() => void resend()}>
        {state.kind === 'sending' ? 'Sending...' : 'Resend confirmation email'}
      </Button>
    </>
  );
}
