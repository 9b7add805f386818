import { useEffect, useState } from 'react';
import { signInCode } from '../../account/account-code.ts';
import { withCode } from '../../account/with-code.ts';
import { ActionButton } from '../../components/account/action-button.tsx';
import { Notice } from '../../components/notice.tsx';

// Milliseconds for which the success message shows.
const SENT_SHOWS = 3_000;

interface ResendProps {
  /** The account's id or email address. */
  userName: string;
  onSent: () => void;
}

export function Resend({ userName, onSent }: ResendProps) {
  const [isSent, setSent] = useState(false);

  useEffect(() => {
    if (!isSent) return undefined;
    const timer = setTimeout(() => setSent(false), SENT_SHOWS);
    return () => clearTimeout(timer);
  }, [isSent]);

  const resend = async () => {
    const outcome = await withCode(signInCode, ({ resendConfirmation }) => resendConfirmation(userName));
    if (outcome.kind === 'done') {
      setSent(true);
      onSent();
    }
    return outcome;
  };

  return (
    <>
      <ActionButton tone="secondary" work={resend} busy="Sending...">
        Resend confirmation email
      </ActionButton>
      {/* Always rendered: some screen readers don't announce a live region that appears with its text. */}
      <div aria-live="polite">{isSent && <Notice tone="success">Confirmation email sent!</Notice>}</div>
    </>
  );
}
