import { useState } from 'react';
import { Link } from 'react-router-dom';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { requestPasswordReset } from '../../session/account.ts';

type State = FormState | { kind: 'sent' };

const back = (
  <p>
    <Link to="/login">Back to Sign In</Link>
  </p>
);

export default function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [state, setState] = useState<State>({ kind: 'editing' });

  const submit = async () => {
    setState({ kind: 'sending' });
    const outcome = await requestPasswordReset(email);
    setState(outcome.kind === 'done' ? { kind: 'sent' } : outcome);
  };

  if (state.kind === 'sent') {
    return (
      // A page of its own to whoever listens: it starts over, with its heading.
      <AccountLayout
        key="sent"
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
