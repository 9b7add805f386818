import { TextField } from '@aws-amplify/ui-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import styles from '../../components/account/account.module.css';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { confirmEmail } from '../../session/sign-in.ts';
import { useOrigin } from '../../session/use-origin.ts';
import { Resend } from './resend.tsx';

// Specification, section 9.
const LOADING = 500;

export default function EmailConfirmationPage() {
  const [query] = useSearchParams();
  const [loading, setLoading] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setLoading(false), LOADING);
    return () => clearTimeout(timer);
  }, []);

  const email = query.get('email')?.trim();
  if (loading) return <Spinner />;
  if (!email) {
    return (
      <Message title="Check your email" actions={<ButtonLink to="/signup">Sign up</ButtonLink>}>
        <p>No email address found. Please sign up first.</p>
      </Message>
    );
  }
  return (
    <Confirmation
      email={email}
      linkCode={query.get('code') ?? ''}
      fromSignIn={query.get('source') === 'signin'}
    />
  );
}

interface ConfirmationProps {
  email: string;
  /** What the link in the e-mail carried; empty for whoever came another way. */
  linkCode: string;
  fromSignIn: boolean;
}

function Confirmation({ email, linkCode, fromSignIn }: ConfirmationProps) {
  const navigate = useNavigate();
  const origin = useOrigin();
  const [code, setCode] = useState(linkCode);
  const [state, setState] = useState<FormState>({ kind: 'editing' });

  // Only ever on a press: mail scanners open links, and one of them must not confirm an address for whoever typed it.
  const confirm = async () => {
    setState({ kind: 'sending' });
    const outcome = await confirmEmail(email, code);
    if (outcome.kind === 'refused') return setState(outcome);
    return navigate('/login', { state: { ...origin, confirmed: email } });
  };

  return (
    <AccountLayout
      title="Check your email"
      lead={
        linkCode ? (
          <>
            You opened the link we sent to <strong>{email}</strong>. One press is left.
          </>
        ) : (
          <>
            We sent a message to <strong>{email}</strong>.
          </>
        )
      }
      footer={
        <>
          <Resend email={email} />
          <p>
            <Link to="/login" state={origin}>
              Back to Sign In
            </Link>
          </p>
        </>
      }
    >
      {fromSignIn && <Notice>You need to confirm your e-mail address before you can sign in.</Notice>}
      <ol className={styles.Steps}>
        <li>Open the message, and look in the spam folder if it isn't in your inbox.</li>
        <li>Press the link in it, or type its code below.</li>
        <li>Press Confirm Email, then sign in.</li>
      </ol>
      <AccountForm state={state} onSubmit={confirm} submit="Confirm Email" sending="Confirming...">
        <TextField
          label="Confirmation code"
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          isRequired
          value={code}
          onChange={(event) => {
            setCode(event.target.value);
            setState({ kind: 'editing' });
          }}
        />
      </AccountForm>
    </AccountLayout>
  );
}
