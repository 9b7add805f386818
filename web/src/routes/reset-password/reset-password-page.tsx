import { useEffect, useLayoutEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { TextField } from '../../components/account/text-field.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useAccountCodeSoon, withAccountCode } from '../../session/account-code.ts';
import { CODE_MISSING, passwordFault } from '../../session/credentials.ts';
import { ACCOUNT_HOME } from '../../session/from-path.ts';
import { HeldReset, type ResetLink, resetLinkOf } from '../../session/reset-link.ts';
import { useSession } from '../../session/session.ts';
import { replaceRouterState, useRouterState } from '../../session/use-router-state.ts';
import { useTypedAddress } from '../../session/use-typed-address.ts';
import { useHydrated } from '../../start/hydrated.ts';

type WholeLink = Exclude<ResetLink, string>;

export default function ResetPasswordPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const given = resetLinkOf(query, useRouterState(HeldReset)?.resetLink);
  const [link, setLink] = useState<WholeLink>();
  if (hydrated && typeof given === 'object' && given.code !== link?.code) setLink(given);

  // Removes the code from the address bar at once. The history entry keeps it, so that a reload knows it.
  const carried = query.size > 0;
  useLayoutEffect(() => {
    if (!carried) return;
    void navigate('/reset-password', { replace: true, state: { resetLink: resetLinkOf(query, undefined) } });
  }, [carried, query, navigate]);

  // The built HTML has the form for a link.
  return link || !hydrated || given === 'none' ? (
    <NewPassword link={link} typesCode={hydrated && !link} />
  ) : (
    <AccountLayout title="Choose a new password">
      <Notice tone="danger">Invalid reset password link</Notice>
      <ButtonLink to="/forgot-password">Ask for a new link</ButtonLink>
    </AccountLayout>
  );
}

const CODE_REFUSED =
  'This code does not work, or no longer works. Only the one in our newest mail does, once and within an hour.';

// Milliseconds that the success message shows.
const REDIRECT = 2_000;

/**
 * `link`: undefined before hydration, and where the user types the code: Cognito's own mail has a code and no
 * link.
 */
function NewPassword({ link, typesCode }: { link: WholeLink | undefined; typesCode: boolean }) {
  const navigate = useNavigate();
  const [email, setEmail] = useTypedAddress();
  const [typedCode, setTypedCode] = useState('');
  const [entered, setEntered] = useState({ password: '', confirmation: '' });
  const [state, setState] = useState<FormState | { kind: 'done' }>({ kind: 'editing' });
  const { password, confirmation } = entered;
  useAccountCodeSoon();

  useEffect(() => {
    if (state.kind !== 'done') return undefined;
    const timer = setTimeout(() => void navigate(ACCOUNT_HOME, { replace: true }), REDIRECT);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  const submit = async () => {
    if (!link && !typesCode) return;
    const { userName, code } = link ?? { userName: email.trim(), code: typedCode.trim() };
    setState({ kind: 'sending' });
    const outcome = await withAccountCode(({ resetPassword }) => resetPassword(userName, code, password));
    if (link && (outcome.kind === 'done' || outcome.reason === 'code')) {
      replaceRouterState({ resetLink: 'invalid' });
    }
    if (outcome.kind === 'refused') {
      const isTyped = !link && outcome.reason === 'code';
      return setState(isTyped ? { kind: 'refused', message: CODE_REFUSED } : outcome);
    }
    // If the sign-in fails, the dashboard asks for it.
    await withAccountCode(({ signIn }) => signIn(userName, password));
    setState({ kind: 'done' });
  };

  return (
    <AccountLayout title="Choose a new password">
      <StorageNotice />
      {state.kind === 'done' ? (
        <Notice tone="success">Password updated successfully! Redirecting...</Notice>
      ) : (
        <AccountForm
          state={state}
          onSubmit={submit}
          onEdit={() => setState({ kind: 'editing' })}
          submit="Update Password"
          sending="Updating..."
          ready={passwordFault(password, confirmation) === null}
          remedy={
            <Link to="/forgot-password" state={typesCode ? { email } : undefined}>
              {typesCode ? 'Ask for a new code' : 'Ask for a new link'}
            </Link>
          }
        >
          {typesCode ? (
            <>
              <EmailField value={email} onChange={setEmail} />
              <CodeField value={typedCode} onChange={setTypedCode} />
            </>
          ) : (
            <UserName />
          )}
          <NewPasswordFields
            label="New password"
            password={password}
            confirmation={confirmation}
            onChange={setEntered}
          />
        </AccountForm>
      )}
    </AccountLayout>
  );
}

function CodeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label="Code"
      name="code"
      autoComplete="one-time-code"
      inputMode="numeric"
      missing={CODE_MISSING}
      value={value}
      onChange={onChange}
    />
  );
}

/** For password managers. The link doesn't name the address: it is known after signing in. */
function UserName() {
  const session = useSession();
  return (
    <input
      type="text"
      name="username"
      autoComplete="username"
      value={session.kind === 'signed-in' ? session.user.email : ''}
      readOnly
      hidden
    />
  );
}
