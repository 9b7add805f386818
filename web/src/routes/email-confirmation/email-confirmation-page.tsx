import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { eitherOf, providerNames } from '../../../../schemas/providers.ts';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { useAccountCodeSoon, withAccountCode } from '../../session/account-code.ts';
import { useCameFrom } from '../../session/use-came-from.ts';
import { PendingConfirmation, useRouterState } from '../../session/use-router-state.ts';
import { useHydrated } from '../../start/hydrated.ts';
import { CodeField } from './code-field.tsx';
import styles from './email-confirmation.module.css';
import { Resend } from './resend.tsx';

// Milliseconds that the page says that it is loading.
const LOADING = 500;

export default function EmailConfirmationPage() {
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  const [loading, setLoading] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setLoading(false), LOADING);
    return () => clearTimeout(timer);
  }, []);

  // The built HTML is the same for every query.
  const given = (name: string): string => (hydrated ? (query.get(name)?.trim() ?? '') : '');
  const email = given('email');
  if (!loading && !email) {
    return (
      <Message title="Check your email" actions={<ButtonLink to="/signup">Sign up</ButtonLink>}>
        <p>No email address found. Please sign up first.</p>
      </Message>
    );
  }
  return (
    <Confirmation
      email={email}
      linkCode={given('code')}
      fromSignIn={given('source') === 'signin'}
      loading={loading}
    />
  );
}

interface ConfirmationProps {
  email: string;
  /** The code in the mail's link; empty if the user didn't open the link. */
  linkCode: string;
  fromSignIn: boolean;
  loading: boolean;
}

function Confirmation({ email, linkCode, fromSignIn, loading }: ConfirmationProps) {
  const navigate = useNavigate();
  const cameFrom = useCameFrom();
  const [typed, setTyped] = useState<string | null>(null);
  const code = typed ?? linkCode;
  const { userId, newCode } = useRouterState(PendingConfirmation) ?? {};
  // By the id where it is known: a stranger may have signed up with the same address since.
  const userName = userId ?? email;
  const [state, setState] = useState<FormState>({ kind: 'editing' });
  const [linkIsRefused, setLinkIsRefused] = useState(false);
  const linkWorks = linkCode !== '' && !linkIsRefused;
  useAccountCodeSoon();

  // Needs a click: mail scanners open links, and must not confirm an address that a stranger has typed.
  const confirm = async () => {
    setState({ kind: 'sending' });
    const outcome = await withAccountCode(({ confirmEmail }) => confirmEmail(userName, code));
    if (outcome.kind === 'refused') {
      if (outcome.reason === 'code') setLinkIsRefused(true);
      return setState(outcome);
    }
    return navigate('/login', { state: { ...cameFrom, confirmed: email } });
  };

  return (
    <AccountLayout
      title="Check your email"
      lead={
        <span className={styles.Sent}>
          {loading && <output className={styles.Loading}>Loading</output>}
          <span data-loading={loading}>
            {sentence(linkWorks, newCode === true)} <strong>{email}</strong>
          </span>
        </span>
      }
      footer={<Ways email={email} userName={userName} newCode={newCode} />}
    >
      <WhyHere fromSignIn={fromSignIn} />
      <StorageNotice />
      <AccountForm
        state={state}
        onSubmit={confirm}
        onEdit={() => setState({ kind: 'editing' })}
        submit="Confirm Email"
        sending="Confirming..."
        remedy={state.kind === 'refused' && state.reason === 'code' && <WaysOn email={email} />}
      >
        <CodeField value={code} onChange={setTyped} />
      </AccountForm>
    </AccountLayout>
  );
}

// Each is followed by the address, and fits into one line of a phone, so that none moves what is below it.
function sentence(linkWorks: boolean, isNewCode: boolean): string {
  if (linkWorks) return 'One press is left to confirm';
  return isNewCode ? 'Type the six new digits we sent to' : 'Type the six digits we sent to';
}

/** For a user who wanted to sign in. Before hydration a style decides whether it shows. */
function WhyHere({ fromSignIn }: { fromSignIn: boolean }) {
  const hydrated = useHydrated();
  if (hydrated && !fromSignIn) return null;
  return (
    <div className={hydrated ? undefined : styles.FromSignIn}>
      <Notice>
        You need to confirm your e-mail address before you can sign in. Only our newest message counts.
      </Notice>
    </div>
  );
}

interface WaysProps extends Pick<PendingConfirmation, 'newCode'> {
  email: string;
  userName: string;
}

function Ways({ email, userName, newCode }: WaysProps) {
  const cameFrom = useCameFrom();
  return (
    <div className={styles.Ways}>
      <ol className={styles.Steps}>
        <li>
          Open our newest message, and look in the spam folder if it isn't in your inbox. An older one no
          longer works.
        </li>
        <li>Press the link in it, or type its code here.</li>
        <li>Press Confirm Email, then sign in.</li>
      </ol>
      {typeof newCode === 'string' && (
        <Notice tone="danger">We couldn't send you a new code just now. {newCode}</Notice>
      )}
      <Resend userName={userName} />
      <p>
        Signed up more than two days ago? <SignUpAgain email={email} />
      </p>
      <p>
        <Link to="/login" state={cameFrom}>
          Back to Sign In
        </Link>
      </p>
    </div>
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
