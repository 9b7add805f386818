import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { withAccountCode } from '../../session/account-code.ts';

type Resending =
  | { kind: 'idle' }
  | { kind: 'sending' }
  | { kind: 'sent' }
  | { kind: 'refused'; message: string };

// Milliseconds that the success message shows.
const SENT_SHOWS = 3_000;

/** `userName`: the account's id or e-mail address. */
export function Resend({ userName }: { userName: string }) {
  const [state, setState] = useState<Resending>({ kind: 'idle' });

  useEffect(() => {
    if (state.kind !== 'sent') return undefined;
    const timer = setTimeout(() => setState({ kind: 'idle' }), SENT_SHOWS);
    return () => clearTimeout(timer);
  }, [state]);

  const resend = async () => {
    setState({ kind: 'sending' });
    const outcome = await withAccountCode(({ resendConfirmation }) => resendConfirmation(userName));
    setState(outcome.kind === 'done' ? { kind: 'sent' } : outcome);
  };

  return (
    <>
      {/* Not disabled while sending: a disabled button loses the focus. */}
      <Button
        tone="secondary"
        aria-busy={state.kind === 'sending'}
        onClick={() => {
          if (state.kind !== 'sending') void resend();
        }}
      >
        {state.kind === 'sending' ? 'Sending...' : 'Resend confirmation email'}
      </Button>
      {/* Always rendered: some screen readers don't announce a live region that appears with its text. */}
      <div aria-live="polite">
        {state.kind === 'sent' && <Notice tone="success">Confirmation email sent!</Notice>}
      </div>
      {state.kind === 'refused' && <Notice tone="danger">{state.message}</Notice>}
    </>
  );
}
