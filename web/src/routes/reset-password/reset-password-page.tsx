import { useEffect, useLayoutEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useAccountCodeSoon, withAccountCode } from '../../session/account-code.ts';
import { passwordFault } from '../../session/credentials.ts';
import { ACCOUNT_HOME } from '../../session/from-path.ts';
import { useSession } from '../../session/session.ts';
import { forgetRouterState, HeldResetLink, useRouterState } from '../../session/use-router-state.ts';
import { useHydrated } from '../../start/hydrated.ts';

/** From the link's query: `access_token` is a one-time code, `refresh_token` an opaque user name. */
type ResetLink = HeldResetLink['resetLink'];

const askAgain = <Link to="/forgot-password">Ask for a new link</Link>;

export default function ResetPasswordPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const held = useRouterState(HeldResetLink)?.resetLink;
  const given = linkOf(query) ?? held;
  const [link, setLink] = useState<ResetLink>();
  if (hydrated && given && given.code !== link?.code) setLink(given);

  // Removes the code from the address bar at once. The history entry keeps it, so that a reload knows it.
  const carried = query.size > 0;
  useLayoutEffect(() => {
    if (carried) void navigate('/reset-password', { replace: true, state: { resetLink: linkOf(query) } });
  }, [carried, query, navigate]);

  // The built HTML has the form.
  return link || !hydrated ? (
    <NewPassword link={link} />
  ) : (
    <AccountLayout title="Choose a new password">
      <Notice tone="danger">Invalid reset password link</Notice>
      <ButtonLink to="/forgot-password">Ask for a new link</ButtonLink>
    </AccountLayout>
  );
}

function linkOf(query: URLSearchParams): ResetLink | undefined {
  const code = query.get('access_token');
  const userName = query.get('refresh_token');
  return code && userName ? { code, userName } : undefined;
}

// Milliseconds that the success message shows.
const REDIRECT = 2_000;

/** `link`: undefined before hydration. */
function NewPassword({ link }: { link: ResetLink | undefined }) {
  const navigate = useNavigate();
  const [entered, setEntered] = useState({ password: '', confirmation: '' });
  const [state, setState] = useState<FormState | { kind: 'done' }>({ kind: 'editing' });
  const { password, confirmation } = entered;
  const session = useSession();
  useAccountCodeSoon();

  useEffect(() => {
    if (state.kind !== 'done') return undefined;
    const timer = setTimeout(() => void navigate(ACCOUNT_HOME, { replace: true }), REDIRECT);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  const submit = async () => {
    if (!link) return;
    setState({ kind: 'sending' });
    const outcome = await withAccountCode(({ resetPassword }) =>
      resetPassword(link.userName, link.code, password),
    );
    if (outcome.kind === 'done' || outcome.reason === 'code') forgetRouterState();
    if (outcome.kind === 'refused') return setState(outcome);
    // If the sign-in fails, the dashboard asks for it.
    await withAccountCode(({ signIn }) => signIn(link.userName, password));
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
          remedy={askAgain}
        >
          {/* For password managers. The link doesn't name the address: it is known after signing in. */}
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={session.kind === 'signed-in' ? session.user.email : ''}
            readOnly
            hidden
          />
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
