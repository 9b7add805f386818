import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { UserNameField } from '../../components/account/user-name-field.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Notice, noticeProps } from '../../components/notice.tsx';
import { useAccountCodeSoon, withAccountCode } from '../../session/account-code.ts';
import { passwordFault } from '../../session/credentials.ts';
import { ACCOUNT_HOME } from '../../session/from-path.ts';
import { useSession } from '../../session/session.ts';
import { forgetRouterState, HeldResetLink, useRouterState } from '../../session/use-router-state.ts';
import { useHydrated } from '../../start/hydrated.ts';

/** From the link's query: `access_token` is a one-time code, `refresh_token` an opaque user name. */
type ResetLink = HeldResetLink['resetLink'];

const PATH = '/reset-password';

const ASK_AGAIN = 'Ask for a new link';
const askAgain = <Link to="/forgot-password">{ASK_AGAIN}</Link>;

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
    if (carried) void navigate(PATH, { replace: true, state: { resetLink: linkOf(query) } });
  }, [carried, query, navigate]);

  // The built HTML has the form.
  return link || !hydrated ? (
    <NewPassword link={link} />
  ) : (
    <DeadLink sentence="Invalid reset password link" />
  );
}

/** In place of the form: no password can be set with this link. */
function DeadLink({ sentence, takesFocus = false }: { sentence: string; takesFocus?: boolean }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) alert.current?.focus();
  }, [takesFocus]);
  return (
    <AccountLayout title="Choose a new password">
      <div {...noticeProps('danger')} role="alert" ref={alert} tabIndex={-1}>
        {sentence}
      </div>
      <ButtonLink to="/forgot-password" wide>
        {ASK_AGAIN}
      </ButtonLink>
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

/** `dead`: the link with this code was refused. Another link may follow in the same tab. */
type State = FormState | { kind: 'done' } | { kind: 'dead'; code: string; sentence: string };

/** `link`: undefined before hydration. */
function NewPassword({ link }: { link: ResetLink | undefined }) {
  const navigate = useNavigate();
  const [entered, setEntered] = useState({ password: '', confirmation: '' });
  const [state, setState] = useState<State>({ kind: 'editing' });
  const { password, confirmation } = entered;
  const [signedIn, setSignedIn] = useState(false);
  const session = useSession();
  // The link doesn't name the address, and an earlier session may be of another account.
  const email = signedIn && session.kind === 'signed-in' ? session.user.email : '';
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
    if (outcome.kind === 'done' || outcome.reason === 'code') forgetRouterState(PATH, window);
    if (outcome.kind === 'refused') {
      return setState(
        outcome.reason === 'code' ? { kind: 'dead', code: link.code, sentence: outcome.message } : outcome,
      );
    }
    // If the sign-in fails, the dashboard asks for it.
    const { kind } = await withAccountCode(({ signIn }) => signIn(link.userName, password));
    // Password managers read the form as it goes, so it has the address before that.
    if (kind === 'signed-in') flushSync(() => setSignedIn(true));
    setState({ kind: 'done' });
  };

  if (state.kind === 'dead' && state.code === link?.code) {
    return <DeadLink sentence={state.sentence} takesFocus />;
  }
  return (
    <AccountLayout title="Choose a new password">
      <StorageNotice />
      {state.kind === 'done' ? (
        <Notice tone="success">Password updated successfully! Redirecting...</Notice>
      ) : (
        <AccountForm
          state={state.kind === 'dead' ? { kind: 'editing' } : state}
          onSubmit={submit}
          onEdit={() => setState({ kind: 'editing' })}
          submit="Update Password"
          sending="Updating..."
          ready={passwordFault(password, confirmation) === null}
          remedy={askAgain}
        >
          <UserNameField email={email} />
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
