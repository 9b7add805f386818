import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';
import { AccountForm } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { CodeField } from '../../components/account/code-field.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { EDITING, type FormState } from '../../components/account/use-account-form.ts';
import { UserNameField } from '../../components/account/user-name-field.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { noticeProps } from '../../components/notice.tsx';
import { useAccountCodeSoon, withAccountCode } from '../../account/account-code.ts';
import { passwordFault } from '../../account/credentials.ts';
import { ACCOUNT_HOME } from '../../navigation/from-path.ts';
import { useSession } from '../../session/session.ts';
import { forgetRouterState, HeldResetLink, useRouterState } from '../../navigation/use-router-state.ts';
import { useTypedAddress } from '../../navigation/use-typed-address.ts';
import { useHydrated } from '../../navigation/hydrated.ts';

/** From the link's query: `access_token` is a one-time code, `refresh_token` an opaque user name. */
type ResetLink = HeldResetLink['resetLink'];

/** Router state from the page that requested the mail: the mail has a code to type, and no link. */
const CodeToType = z.object({ codeToType: z.literal(true) });

const PATH = '/reset-password';

const ASK_AGAIN = 'Ask for a new link';
// Cognito gives the same answer for a wrong code and for an expired one.
const CODE_REFUSED =
  "This code doesn't work, or no longer works. Only the one in our newest email does, once and within an hour.";

export default function ResetPasswordPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const held = useRouterState(HeldResetLink)?.resetLink;
  const given = linkOf(query) ?? held;
  const hasCodeToType = useRouterState(CodeToType) !== undefined;
  const [link, setLink] = useState<ResetLink>();
  if (hydrated && given && given.code !== link?.code) setLink(given);

  // Removes the code from the address bar at once. The history entry keeps the code for a reload.
  const carried = query.size > 0;
  useLayoutEffect(() => {
    if (carried) void navigate(PATH, { replace: true, state: { resetLink: linkOf(query) } });
  }, [carried, query, navigate]);

  // The built HTML has the form for a link.
  return link || !hydrated || hasCodeToType ? (
    <NewPassword link={link} typesCode={hasCodeToType && !link} />
  ) : (
    <DeadLink sentence="Invalid reset password link" />
  );
}

/** Shown in place of the form: this link can't set a password. */
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

// Milliseconds for which the success message shows.
const REDIRECT = 2_000;

/** `dead`: the link with this code was refused. Another link may follow in the same tab. */
type State = FormState | { kind: 'done' } | { kind: 'dead'; code: string; sentence: string };

/** `link`: undefined before hydration, and on a stage without SES, whose mails have a code to type. */
function NewPassword({ link, typesCode }: { link: ResetLink | undefined; typesCode: boolean }) {
  const navigate = useNavigate();
  const [address, setAddress] = useTypedAddress();
  const [typedCode, setTypedCode] = useState('');
  const [entered, setEntered] = useState({ password: '', confirmation: '' });
  const [state, setState] = useState<State>(EDITING);
  const { password, confirmation } = entered;
  const [signedIn, setSignedIn] = useState(false);
  const session = useSession();
  // The link doesn't name the address, and an earlier session may belong to another account.
  const email = signedIn && session.kind === 'signed-in' ? session.user.email : '';
  useAccountCodeSoon();

  useEffect(() => {
    if (state.kind !== 'done') return undefined;
    const timer = setTimeout(() => void navigate(ACCOUNT_HOME, { replace: true }), REDIRECT);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  const submit = async () => {
    if (!link && !typesCode) return;
    const { userName, code } = link ?? { userName: address.trim(), code: typedCode.trim() };
    setState({ kind: 'sending' });
    const outcome = await withAccountCode(({ resetPassword }) => resetPassword(userName, code, password));
    // A mistyped code can be typed again.
    if (outcome.kind === 'done' || (link && outcome.reason === 'code')) forgetRouterState(PATH, window);
    if (outcome.kind === 'refused') {
      if (outcome.reason !== 'code') return setState(outcome);
      return setState(
        link ? { kind: 'dead', code, sentence: outcome.message } : { ...outcome, message: CODE_REFUSED },
      );
    }
    // If the sign-in fails, the dashboard asks the user to sign in.
    const { kind } = await withAccountCode(({ signIn }) => signIn(userName, password));
    // Password managers read the form as it disappears, so the address must be in it by then.
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
        <Updated />
      ) : (
        <AccountForm
          form={{ state: state.kind === 'dead' ? EDITING : state, edit: () => setState(EDITING) }}
          onSubmit={submit}
          submit="Update Password"
          sending="Updating..."
          ready={passwordFault(password, confirmation) === null}
          remedy={
            <Link to="/forgot-password" state={typesCode ? { email: address } : undefined}>
              {typesCode ? 'Ask for a new code' : ASK_AGAIN}
            </Link>
          }
        >
          {typesCode ? (
            <>
              <EmailField value={address} onChange={setAddress} />
              <CodeField label="Code" value={typedCode} onChange={setTypedCode} />
            </>
          ) : (
            <UserNameField email={email} />
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

/** Takes the focus, which the form had. */
const Updated = () => (
  <output {...noticeProps('success')} ref={(notice) => notice?.focus()} tabIndex={-1}>
    Password updated successfully! Redirecting...
  </output>
);
