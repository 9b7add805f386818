import { useEffect, useState } from 'react';
import { signInCode, useCodeSoon } from '../../account/account-code.ts';
import { anonymousCode, withCode } from '../../account/with-code.ts';
import { flushSync } from 'react-dom';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { AccountForm } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { EDITING, type FormState } from '../../components/account/use-account-form.ts';
import { UserNameField } from '../../components/account/user-name-field.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { noticeProps } from '../../components/notice.tsx';
import { takingFocus } from '../../components/page/page-header.tsx';
import type { Refused } from '../../account/outcome.ts';
import { takeGoingTo } from '../../account/going-to.ts';
import { passwordFault } from '../../account/credentials.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import { useLinkToken } from '../../navigation/use-link-token.ts';
import { forgetRouterState } from '../../navigation/use-router-state.ts';
import { setSignInNotice } from '../../session/use-sign-in-notice.ts';

const PATH = '/reset-password';

const ASK_AGAIN = 'Ask for a new link';

export default function ResetPasswordPage() {
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  // `refresh_token` proves nothing, but a link without it isn't whole.
  const given = (query.get('refresh_token') && query.get('access_token')) ?? '';
  const token = useLinkToken(query.size === 0 ? null : given, PATH);
  // The built HTML has the form for a link.
  return token || !hydrated ? (
    <NewPassword token={token} />
  ) : (
    <DeadLink sentence="Invalid reset password link" />
  );
}

/** Shown in place of the form: this link can't set a password. */
function DeadLink({ sentence, takesFocus = false }: { sentence: string; takesFocus?: boolean }) {
  return (
    <AccountLayout title="Choose a new password">
      <div {...noticeProps('danger')} role="alert" {...(takesFocus && takingFocus)}>
        {sentence}
      </div>
      <ButtonLink to="/forgot-password" wide>
        {ASK_AGAIN}
      </ButtonLink>
    </AccountLayout>
  );
}

// Milliseconds for which the success message shows.
const REDIRECT = 2_000;

/** `dead`: the link with this token was refused. Another link may follow in the same tab. */
type State = FormState | { kind: 'done' } | { kind: 'dead'; token: string; sentence: string };

/** `token`: empty before hydration. */
function NewPassword({ token }: { token: string }) {
  const navigate = useNavigate();
  const [entered, setEntered] = useState({ password: '', confirmation: '' });
  const [state, setState] = useState<State>(EDITING);
  const { password, confirmation } = entered;
  // The link doesn't name the address.
  const [email, setEmail] = useState('');
  useCodeSoon(signInCode);

  useEffect(() => {
    if (state.kind !== 'done') return undefined;
    const leave = async () => navigate(await takeGoingTo(), { replace: true });
    const timer = setTimeout(() => void leave(), REDIRECT);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  const submit = async () => {
    if (!token) return;
    setState({ kind: 'sending' });
    const outcome = await resetPassword(token, password);
    if (outcome.kind === 'done' || outcome.reason === 'link') forgetRouterState(PATH, window);
    if (outcome.kind === 'refused') {
      const { reason, message } = outcome;
      return setState(reason === 'link' ? { kind: 'dead', token, sentence: message } : outcome);
    }
    // Password managers read the form as it disappears, so the address must be in it by then.
    flushSync(() => setEmail(outcome.email));
    const { email: address, ticket } = outcome;
    const signedIn = await withCode(
      signInCode,
      async ({ signIn, signInByTicket }) =>
        (await signInByTicket(address, ticket)) || (await signIn(address, password)).kind === 'signed-in',
    );
    // Then the next page asks the user to sign in.
    if (signedIn !== true) setSignInNotice('password-set');
    setState({ kind: 'done' });
  };

  if (state.kind === 'dead' && state.token === token) {
    return <DeadLink sentence={state.sentence} takesFocus />;
  }
  return (
    <AccountLayout title="Choose a new password">
      <StorageNotice />
      {state.kind === 'done' ? (
        // Takes the focus, which the form had.
        <output {...noticeProps('success')} {...takingFocus}>
          Password updated successfully! Redirecting...
        </output>
      ) : (
        <AccountForm
          form={{ state: state.kind === 'dead' ? EDITING : state, edit: () => setState(EDITING) }}
          onSubmit={submit}
          submit="Update Password"
          sending="Updating..."
          ready={passwordFault(password, confirmation) === null}
          remedy={<Link to="/forgot-password">{ASK_AGAIN}</Link>}
        >
          <UserNameField email={email} />
          <NewPasswordFields label="New password" entered={entered} onChange={setEntered} />
        </AccountForm>
      )}
    </AccountLayout>
  );
}

type Answer = { kind: 'done'; email: string; ticket: string };

const resetPassword = (token: string, newPassword: string) =>
  withCode(anonymousCode, async ({ callAnonymously }): Promise<Answer | Refused> => {
    const answer = await callAnonymously('reset-password', { body: { access_token: token, newPassword } });
    if (answer.ok) return { kind: 'done', ...answer.value };
    const { code, sentence } = answer;
    return { kind: 'refused', message: sentence, ...(code === 'link-invalid' && { reason: 'link' }) };
  });
