import { type ComponentProps, lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { OFFERED_NAMES } from '../../account/offered-providers.ts';
import { AccountForm } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { CodeField } from '../../components/account/code-field.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { type FormState, useAccountForm } from '../../components/account/use-account-form.ts';
import { ButtonLink } from '../../components/button.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { useAccountCodeSoon, withSignUpCode } from '../../account/account-code.ts';
import { signUpSecret } from '../../account/sign-up-browser.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import { PendingConfirmation, useRouterState } from '../../navigation/use-router-state.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import styles from './email-confirmation.module.css';
import type { ChosenAccount } from './account-fields.tsx';
import { Resend } from './resend.tsx';

// Most users confirm in the browser that signed up.
const AccountFields = lazy(() => import('./account-fields.tsx'));

const NO_ACCOUNT: ChosenAccount = { name: '', password: '', confirmation: '', isComplete: false };

// Milliseconds for which the page says that it is loading.
const LOADING = 500;

export default function EmailConfirmationPage() {
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  const linkCode = useLinkCode();
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
      hasAddress={!hydrated || email !== ''}
      linkCode={hydrated ? linkCode : ''}
      fromSignIn={given('source') === 'signin'}
      loading={loading}
    />
  );
}

/** The code of the mail's link. Moves the code from the address bar to the history entry, for a reload. */
function useLinkCode(): string {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { pathname, state } = useLocation() as { pathname: string; state: object | null };
  const held = useRouterState(PendingConfirmation)?.linkCode ?? '';
  const carried = query.get('code');
  useLayoutEffect(() => {
    if (carried === null) return;
    const rest = new URLSearchParams(query);
    rest.delete('code');
    const to = { pathname, search: rest.toString() };
    void navigate(to, { replace: true, state: { ...state, linkCode: carried.trim() } });
  }, [carried, query, navigate, pathname, state]);
  return carried?.trim() ?? held;
}

interface ConfirmationProps {
  email: string;
  /** Without an address, a message replaces the form once the page has loaded. */
  hasAddress: boolean;
  /** The code in the mail's link; empty if the user didn't open the link. */
  linkCode: string;
  fromSignIn: boolean;
  loading: boolean;
}

function Confirmation({ email, hasAddress, linkCode, fromSignIn, loading }: ConfirmationProps) {
  const navigate = useNavigate();
  const cameFrom = useCameFrom();
  const [typed, setTyped] = useState<string | null>(null);
  const code = typed ?? linkCode;
  const { userId, newCode } = useRouterState(PendingConfirmation) ?? {};
  // The id is preferred, because a stranger may have signed up with the same address since.
  const userName = userId ?? email;
  const form = useAccountForm();
  const [linkIsRefused, setLinkIsRefused] = useState(false);
  const [timesResent, setTimesResent] = useState(0);
  // Set in a browser that didn't sign up, once the user wants to confirm.
  const [account, setAccount] = useState<ChosenAccount>();
  const hasResent = timesResent > 0;
  const linkWorks = linkCode !== '' && !linkIsRefused && !hasResent;
  useAccountCodeSoon('sign-up');

  // A click is needed: mail scanners open links, and must not confirm an address that a stranger typed.
  const confirm = async () => {
    const secret = signUpSecret(email);
    if (secret === undefined && !account) return setAccount(NO_ACCOUNT);
    const outcome = await form.send(
      withSignUpCode(({ confirmEmail, confirmElsewhere }) =>
        secret === undefined && account
          ? confirmElsewhere({ email, code, name: account.name, password: account.password })
          : confirmEmail(userName, code, secret ?? ''),
      ),
    );
    if (outcome.kind === 'done') return navigate('/login', { state: { ...cameFrom, confirmed: email } });
    if (outcome.reason === 'code') setLinkIsRefused(true);
  };

  // Only the newest code works.
  const startAnew = () => {
    setTimesResent(timesResent + 1);
    setTyped('');
    form.edit();
  };

  return (
    <AccountLayout
      title="Check your email"
      lead={
        <span className={styles.Sent}>
          {loading && <output className={styles.Loading}>Loading</output>}
          <span data-loading={loading}>
            <span>
              {account
                ? 'Choose a name and a password for'
                : sentence(linkWorks, newCode === true || hasResent)}
            </span>{' '}
            <strong>{email && <EmailAddress of={email} />}</strong>
          </span>
        </span>
      }
      footer={
        <Ways email={email} userName={userName} linkWorks={linkWorks} newCode={newCode} onSent={startAnew} />
      }
    >
      <WhyHere fromSignIn={fromSignIn} />
      <StorageNotice />
      <AccountForm
        form={form}
        onSubmit={confirm}
        submit="Confirm Email"
        sending="Confirming..."
        ready={hasAddress && (account?.isComplete ?? true)}
        remedy={<Remedy state={form.state} typed={typed !== null} email={email} />}
      >
        {/* A new field, without the fault of the earlier code. */}
        <Code key={timesResent} isFromLink={linkWorks && typed === null} value={code} onChange={setTyped} />
        {account && (
          <Suspense>
            <AccountFields account={account} onChange={setAccount} />
          </Suspense>
        )}
      </AccountForm>
    </AccountLayout>
  );
}

interface CodeProps extends Pick<ComponentProps<typeof CodeField>, 'value' | 'onChange'> {
  /** Whether the link has brought the code, so that only a press is left. */
  isFromLink: boolean;
}

function Code({ isFromLink, ...props }: CodeProps) {
  const hydrated = useHydrated();
  // The fault of a broken code has to show.
  const isHidden = isFromLink && /^\d{6}$/.test(props.value);
  return (
    <div className={styles.Code} data-with-link={hydrated ? isHidden : undefined}>
      <CodeField label="Confirmation code" {...props} />
    </div>
  );
}

// An address follows. Each sentence fits on one line of a phone, so that none shifts the content below.
function sentence(linkWorks: boolean, isNewCode: boolean): string {
  if (linkWorks) return 'Press once more to confirm';
  return isNewCode ? 'Type the six new digits we sent to' : 'Type the six digits we sent to';
}

/** Shown to a user who wanted to sign in. Before hydration, a style decides whether it shows. */
function WhyHere({ fromSignIn }: { fromSignIn: boolean }) {
  const hydrated = useHydrated();
  if (hydrated && !fromSignIn) return null;
  return (
    <div className={hydrated ? undefined : styles.FromSignIn}>
      <Notice>You need to confirm your email address before you can sign in.</Notice>
    </div>
  );
}

interface WaysProps extends Pick<PendingConfirmation, 'newCode'> {
  email: string;
  userName: string;
  /** Whether the user has opened the mail's link, and its code wasn't refused. */
  linkWorks: boolean;
  /** Called when a new code is on its way. */
  onSent: () => void;
}

function Ways({ email, userName, linkWorks, newCode, onSent }: WaysProps) {
  const hydrated = useHydrated();
  return (
    <div className={styles.Ways} data-with-link={hydrated ? linkWorks : undefined}>
      <ol className={styles.Steps}>
        <li>Open the newest email from us. If it isn't in your inbox, check your spam folder.</li>
        <li>Open the link in it, or type its code here.</li>
        <li>Press Confirm Email, then sign in.</li>
      </ol>
      {typeof newCode === 'string' && (
        <Notice tone="danger">We couldn't send you a new code just now. {newCode}</Notice>
      )}
      <Resend userName={userName} onSent={onSent} />
      <p className={styles.Again}>
        Signed up more than two days ago?{' '}
        <Way to="/signup" email={email}>
          Sign up again
        </Way>
      </p>
      <p>
        <Way to="/login" email={email}>
          Back to Sign In
        </Way>
      </p>
    </div>
  );
}

interface RemedyProps {
  state: FormState;
  /** Whether the user typed the code. A mistyped code needs no other way. */
  typed: boolean;
  email: string;
}

/**
 * Shown after a refusal. The account of a link that doesn't work may be gone: an unconfirmed account is
 * deleted after a while.
 */
function Remedy({ state, typed, email }: RemedyProps) {
  const cameFrom = useCameFrom();
  const reason = state.kind === 'refused' ? state.reason : undefined;
  if (reason === undefined || (reason === 'code' && typed)) return null;
  if (reason === 'password') {
    return (
      <Way to="/forgot-password" email={email}>
        Choose a new password
      </Way>
    );
  }
  return (
    <>
      Or{' '}
      <Link to="/login" state={cameFrom}>
        sign in with {OFFERED_NAMES}
      </Link>
      , or{' '}
      <Way to="/signup" email={email}>
        sign up again
      </Way>
      .
    </>
  );
}

/** A link that takes the address along, for the form of the next page. */
function Way({ to, email, children }: { to: string; email: string; children: string }) {
  const cameFrom = useCameFrom();
  return (
    <Link to={to} state={{ ...cameFrom, email }}>
      {children}
    </Link>
  );
}
