import { TextField } from '@aws-amplify/ui-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { eitherOf, providerNames } from '../../../../schemas/providers.ts';
import styles from '../../components/account/account.module.css';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { confirmEmail } from '../../session/sign-in.ts';
import { useCameFrom } from '../../session/use-came-from.ts';
import { PendingConfirmation, useRouterState } from '../../session/use-router-state.ts';
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
  const { userId, newCode } = useRouterState(PendingConfirmation) ?? {};
  // By the id where it is known: a stranger may have signed up with the same address since.
  const userName = userId ?? email;
  const [state, setState] = useState<FormState>({ kind: 'editing' });
  const [linkWorks, setLinkWorks] = useState(linkCode !== '');

  // Needs a click: mail scanners open links, and must not confirm an address that a stranger has typed.
  const confirm = async () => {
    setState({ kind: 'sending' });
    const outcome = await confirmEmail(userName, code);
    if (outcome.kind === 'refused') {
      if (outcome.reason === 'code') setLinkWorks(false);
      return setState(outcome);
    }
    return navigate('/login', { state: { ...cameFrom, confirmed: email } });
  };

  return (
    <AccountLayout
      title="Check your email"
      lead={
        linkWorks ? (
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
          <Resend userName={userName} />
          <p>
            <Link to="/login" state={cameFrom}>
              Back to Sign In
            </Link>
          </p>
          <p>
            Signed up more than two days ago? <SignUpAgain email={email} />
          </p>
        </>
      }
    >
      {fromSignIn && <WhyHere newCode={newCode} />}
      <StorageNotice />
      <ol className={styles.Steps}>
        <li>
          Open our newest message, and look in the spam folder if it isn't in your inbox. An older one no
          longer works.
        </li>
        <li>Press the link in it, or type its code below.</li>
        <li>Press Confirm Email, then sign in.</li>
      </ol>
      <AccountForm
        state={state}
        onSubmit={confirm}
        onEdit={() => setState({ kind: 'editing' })}
        submit="Confirm Email"
        sending="Confirming..."
        remedy={state.kind === 'refused' && state.reason === 'code' && <WaysOn email={email} />}
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

/** For a user who wanted to sign in. */
function WhyHere({ newCode }: PendingConfirmation) {
  return (
    <>
      <Notice>
        You need to confirm your e-mail address before you can sign in.
        {newCode === true && " We've sent you a new code: only the newest message counts."}
      </Notice>
      {typeof newCode === 'string' && (
        <Notice tone="danger">We couldn't send you a new code just now. {newCode}</Notice>
      )}
    </>
  );
}

/** For a code that doesn't work. The account may be gone: it doesn't wait for its code for ever. */
function WaysOn({ email }: { email: string }) {
  const cameFrom = useCameFrom();
  return (
    <>
      <SignUpAgain email={email} />, or{' '}
      <Link to="/login" state={cameFrom}>
        sign in with {eitherOf(providerNames)}
      </Link>
      .
    </>
  );
}

function SignUpAgain({ email }: { email: string }) {
  const cameFrom = useCameFrom();
  return (
    <Link to="/signup" state={{ ...cameFrom, email }}>
      Sign up again
    </Link>
  );
}
