import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { requestPasswordReset } from '../../session/account.ts';
import { useOrigin } from '../../session/origin.ts';

type State = FormState | { kind: 'sent' };

export default function ForgotPasswordPage() {
  const origin = useOrigin();
  const [email, setEmail] = useState(useTypedEmail());
  const [state, setState] = useState<State>({ kind: 'editing' });

  const submit = async () => {
    setState({ kind: 'sending' });
    const outcome = await requestPasswordReset(email);
    setState(outcome.kind === 'done' ? { kind: 'sent' } : outcome);
  };

  const back = (
    <p>
      <Link to="/login" state={origin}>
        Back to Sign In
      </Link>
    </p>
  );
  if (state.kind === 'sent') {
    return (
      // A page of its own to whoever listens: it starts over, with its heading.
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
      <AccountForm state={state} onSubmit={submit} submit="Send Link" sending="Sending...">
        <EmailField
          value={email}
          onChange={(value) => {
            setEmail(value);
            setState({ kind: 'editing' });
          }}
        />
      </AccountForm>
    </AccountLayout>
  );
}

/** What was typed on the sign-in page already, or nothing. */
function useTypedEmail(): string {
  const { state } = useLocation() as { state: unknown };
  return typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string'
    ? state.email
    : '';
}
