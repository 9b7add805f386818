import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { signUpCode, useCodeSoon } from '../../account/account-code.ts';
import { withCode } from '../../account/with-code.ts';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { AccountForm } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { CodeField } from '../../components/account/code-field.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { useAccountForm } from '../../components/account/use-account-form.ts';
import { Way } from '../../components/account/way.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { useHasPassed } from '../../components/page/use-has-passed.ts';
import { takeGoingTo } from '../../account/going-to.ts';
import { addressToConfirm } from '../../account/sign-up-browser.ts';
import { inAppPath } from '../../navigation/from-path.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import { useTokenInHash } from '../../navigation/use-link-token.ts';
import { PendingConfirmation, useRouterState } from '../../navigation/use-router-state.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import { useSession } from '../../session/session.ts';
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
  const token = useTokenInHash();
  const loading = !useHasPassed(LOADING);

  // The built HTML is the same for every query.
  const given = (name: string): string => (hydrated ? (query.get(name)?.trim() ?? '') : '');
  const linked = given('email');
  // Once: the confirmation forgets what this browser has asked for.
  const email = useMemo(() => (linked === '' ? '' : addressToConfirm(linked)), [linked]);
  useGoOn(email);
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
      token={token}
      fromSignIn={given('source') === 'signin'}
      loading={loading}
    />
  );
}

/** Goes where the user was going, once this tab or another one has signed in with the address. */
function useGoOn(email: string): void {
  const navigate = useNavigate();
  const session = useSession();
  const { from } = useCameFrom();
  const gone = useRef(false);
  const isSignedIn = session.kind === 'signed-in' && session.user.email.toLowerCase() === email.toLowerCase();
  useEffect(() => {
    if (!isSignedIn || gone.current) return;
    gone.current = true;
    // The way back doesn't lead to the link.
    void (async () =>
      navigate(from === undefined ? await takeGoingTo() : inAppPath(from), { replace: true }))();
  }, [isSignedIn, from, navigate]);
}

interface ConfirmationProps {
  email: string;
  /** Without an address, a message replaces the form once the page has loaded. */
  hasAddress: boolean;
  /** The token of the mail's link; empty if the user didn't open it. */
  token: string;
  fromSignIn: boolean;
  loading: boolean;
}

function Confirmation({ email, hasAddress, token, fromSignIn, loading }: ConfirmationProps) {
  const navigate = useNavigate();
  const cameFrom = useCameFrom();
  const [code, setCode] = useState('');
  const { userId, newCode } = useRouterState(PendingConfirmation) ?? {};
  // The id is preferred, because a stranger may have signed up with the same address since.
  const userName = userId ?? email;
  const form = useAccountForm();
  const [refusedToken, setRefusedToken] = useState('');
  const [timesResent, setTimesResent] = useState(0);
  const linkWorks = token !== '' && token !== refusedToken;
  // Set in a browser that didn't sign up, once the user wants to confirm.
  const [chosen, setChosen] = useState<ChosenAccount>();
  const account = linkWorks ? chosen : undefined;
  const hydrated = useHydrated();
  useCodeSoon(signUpCode);

  // A click is needed: mail scanners open links, and must not confirm an address that a stranger typed.
  const confirm = async () => {
    const outcome = await form.send(
      withCode(signUpCode, ({ confirmByCode, confirmByLink }) =>
        linkWorks ? confirmByLink({ email, token }, account) : confirmByCode(userName, code, email),
      ),
    );
    if (outcome.kind === 'confirmed') {
      const from = cameFrom.from ?? (await takeGoingTo());
      return navigate('/login', { replace: true, state: { from, email } });
    }
    if (outcome.kind === 'account-needed') {
      setChosen(NO_ACCOUNT);
      return form.edit();
    }
    if (outcome.kind === 'refused' && outcome.reason === 'link') setRefusedToken(token);
  };

  // Only the newest code works.
  const startAgain = () => {
    setTimesResent(timesResent + 1);
    setCode('');
    form.edit();
  };

  return (
    <AccountLayout
      title="Check your email"
      lead={
        <Lead email={email} loading={loading}>
          {sentence(account !== undefined, linkWorks, timesResent > 0 || newCode)}
        </Lead>
      }
      footer={<Ways email={email} userName={userName} linkWorks={linkWorks} onSent={startAgain} />}
    >
      <WhyHere fromSignIn={fromSignIn} />
      {typeof newCode === 'string' && timesResent === 0 && (
        <Notice tone="danger">We couldn't send you a new code just now. {newCode}</Notice>
      )}
      <StorageNotice />
      <AccountForm
        form={form}
        onSubmit={confirm}
        submit="Confirm Email"
        sending="Confirming..."
        ready={hasAddress && (account?.isComplete ?? true)}
        email={email}
      >
        {!linkWorks && (
          // A new field, without the fault of the earlier code.
          <div key={timesResent} className={styles.Code} data-is-shown={hydrated}>
            <CodeField label="Confirmation code" value={code} onChange={setCode} />
          </div>
        )}
        {account && (
          <Suspense>
            <AccountFields account={account} onChange={setChosen} />
          </Suspense>
        )}
      </AccountForm>
    </AccountLayout>
  );
}

const Lead = ({ email, loading, children }: { email: string; loading: boolean; children: string }) => (
  <span className={styles.Sent}>
    {loading && <output className={styles.Loading}>Loading</output>}
    <span data-loading={loading}>
      <span>{children}</span> <strong>{email && <EmailAddress of={email} />}</strong>
    </span>
  </span>
);

// An address follows. Each sentence fits on one line of a phone, so that none shifts the content below.
function sentence(chooses: boolean, linkWorks: boolean, newCode: PendingConfirmation['newCode']): string {
  if (chooses) return 'Choose a name and a password for';
  if (linkWorks) return 'Press once more to confirm';
  if (typeof newCode === 'string') return 'Open an earlier email from us for';
  return newCode ? 'Type the six new digits we sent to' : 'Type the six digits we sent to';
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

interface WaysProps {
  email: string;
  userName: string;
  /** Whether the user has opened the mail's link, and it wasn't refused. */
  linkWorks: boolean;
  /** Called when a new code is on its way. */
  onSent: () => void;
}

function Ways({ email, userName, linkWorks, onSent }: WaysProps) {
  const hydrated = useHydrated();
  return (
    <div className={styles.Ways} data-stack="4" data-facts data-with-link={hydrated ? linkWorks : undefined}>
      <ol className={styles.Steps} data-stack="2">
        <li>Open the newest email from us. If it isn't in your inbox, check your spam folder.</li>
        <li>
          Press the button in it, or type its code here. An earlier email's button works for a day, too.
        </li>
        <li>Press Confirm Email.</li>
      </ol>
      <Resend userName={userName} onSent={onSent} />
      <p className={styles.Again}>
        Code and button no longer work?{' '}
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
