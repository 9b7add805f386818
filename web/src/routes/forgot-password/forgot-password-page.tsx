import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { requestPasswordReset } from '../../session/sign-in.ts';
import { useCameFrom } from '../../session/use-came-from.ts';

type State = FormState | { kind: 'sent' };

export default function ForgotPasswordPage() {
  const cameFrom = useCameFrom();
  const [email, setEmail] = useState(useTypedEmail());
  const [state, setState] = useState<State>({ kind: 'editing' });

  const submit = async () => {
    setState({ kind: 'sending' });
    const outcome = await requestPasswordReset(email);
    setState(outcome.kind === 'done' ? { kind: 'sent' } : outcome);
  };

  const back = (
    <p>
      <Link to="/login" state={cameFrom}>
        Back to Sign In
      </Link>
    </p>
  );
  if (state.kind === 'sent') {
    return (
      // The key remounts the layout, so that the focus moves to the new heading.
      <AccountLayout
        key="sent"
        takesFocus
        title="Check your email"
        lead={
          <output>
            If there is an account for <strong>{email.trim()}</strong>, a link to choose a new password is on
            its way.
          </output>
        }
        footer={back}
      >
        <p>Nothing there after a minute or two? Please look in your spam folder.</p>
      </AccountLayout>
    );
  }
  return (
    <AccountLayout
      title="Forgot your password?"
      lead="Type the e-mail address of your account, and we send you a link to choose a new one."
      footer={back}
    >
      <AccountForm
        state={state}
        onSubmit={submit}
        onEdit={() => setState({ kind: 'editing' })}
        submit="Send Link"
        sending="Sending..."
      >
        <EmailField value={email} onChange={setEmail} />
      </AccountForm>
    </AccountLayout>
  );
}

/** The address that the user has typed on the sign-in page, or an empty text. */
function useTypedEmail(): string {
  const { state } = useLocation() as { state: unknown };
  return typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string'
    ? state.email
    : '';
}
