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
import { useCameFrom } from '../../session/use-came-from.ts';
import { Resend } from './resend.tsx';

// Milliseconds that the spinner shows.
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
  /** The code in the mail's link; empty if the user didn't open the link. */
  linkCode: string;
  fromSignIn: boolean;
}

function Confirmation({ email, linkCode, fromSignIn }: ConfirmationProps) {
  const navigate = useNavigate();
  const cameFrom = useCameFrom();
  const [code, setCode] = useState(linkCode);
  const [state, setState] = useState<FormState>({ kind: 'editing' });

  // Needs a click: mail scanners open links, and must not confirm an address that a stranger has typed.
  const confirm = async () => {
    setState({ kind: 'sending' });
    const outcome = await confirmEmail(email, code);
    if (outcome.kind === 'refused') return setState(outcome);
    return navigate('/login', { state: { ...cameFrom, confirmed: email } });
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
            <Link to="/login" state={cameFrom}>
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
      <AccountForm
        state={state}
        onSubmit={confirm}
        onEdit={() => setState({ kind: 'editing' })}
        submit="Confirm Email"
        sending="Confirming..."
      >
        <TextField
          label="Confirmation code"
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          isRequired
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </AccountForm>
    </AccountLayout>
  );
}
