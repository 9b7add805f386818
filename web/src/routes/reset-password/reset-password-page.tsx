import { useEffect, useLayoutEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { resetPassword, signIn } from '../../session/sign-in.ts';
import { passwordFault } from '../../session/credentials.ts';
import { ACCOUNT_HOME } from '../../session/from-path.ts';

/** From the link's query: `access_token` is a one-time code, `refresh_token` an opaque user name. */
interface ResetLink {
  code: string;
  userName: string;
}

const askAgain = <Link to="/forgot-password">Ask for a new link</Link>;

export default function ResetPasswordPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const [link] = useState(() => linkOf(query));

  // Removes the code from the address bar and the history at once.
  const carried = query.size > 0;
  useLayoutEffect(() => {
    if (carried) void navigate('/reset-password', { replace: true });
  }, [carried, navigate]);

  return link ? (
    <NewPassword link={link} />
  ) : (
    <AccountLayout title="Choose a new password" footer={<p>{askAgain}</p>}>
      <Notice tone="danger">Invalid reset password link</Notice>
    </AccountLayout>
  );
}

function linkOf(query: URLSearchParams): ResetLink | null {
  const code = query.get('access_token');
  const userName = query.get('refresh_token');
  return code && userName ? { code, userName } : null;
}

// Milliseconds that the success message shows.
const REDIRECT = 2_000;

function NewPassword({ link }: { link: ResetLink }) {
  const navigate = useNavigate();
  const [entered, setEntered] = useState({ password: '', confirmation: '' });
  const [state, setState] = useState<FormState | { kind: 'done' }>({ kind: 'editing' });
  const { password, confirmation } = entered;

  useEffect(() => {
    if (state.kind !== 'done') return undefined;
    const timer = setTimeout(() => void navigate(ACCOUNT_HOME, { replace: true }), REDIRECT);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  const submit = async () => {
    setState({ kind: 'sending' });
    const outcome = await resetPassword(link.userName, link.code, password);
    if (outcome.kind === 'refused') return setState(outcome);
    // If the sign-in fails, the dashboard asks for it.
    await signIn(link.userName, password);
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
