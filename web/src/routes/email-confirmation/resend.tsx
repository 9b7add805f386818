import { useEffect, useState } from 'react';
import { signInCode } from '../../account/account-code.ts';
import { withCode } from '../../account/with-code.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';

type Resending =
  | { kind: 'idle' }
  | { kind: 'sending' }
  | { kind: 'sent' }
  | { kind: 'refused'; message: string };

// Milliseconds for which the success message shows.
const SENT_SHOWS = 3_000;

interface ResendProps {
  /** The account's id or email address. */
  userName: string;
  onSent: () => void;
}

export function Resend({ userName, onSent }: ResendProps) {
  const [state, setState] = useState<Resending>({ kind: 'idle' });

  useEffect(() => {
    if (state.kind !== 'sent') return undefined;
    const timer = setTimeout(() => setState({ kind: 'idle' }), SENT_SHOWS);
    return () => clearTimeout(timer);
  }, [state]);

  const resend = async () => {
    setState({ kind: 'sending' });
    const outcome = await withCode(signInCode, ({ resendConfirmation }) => resendConfirmation(userName));
    if (outcome.kind === 'refused') return setState(outcome);
    setState({ kind: 'sent' });
    return onSent();
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
