import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { PasswordField } from '../../components/account/password-field.tsx';
import { SignedOutNotice } from '../../components/account/signed-out-notice.tsx';
import { SocialSignIn } from '../../components/account/social-sign-in.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { useAccountCodeSoon, withAccountCode } from '../../account/account-code.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import {
  ConfirmedAddress,
  type PendingConfirmation,
  useRouterState,
} from '../../navigation/use-router-state.ts';
import { useTypedAddress } from '../../navigation/use-typed-address.ts';
import { currentSession, setSession } from '../../session/session.ts';

export default function LoginPage() {
  const navigate = useNavigate();
  const cameFrom = useCameFrom();
  const confirmed = useRouterState(ConfirmedAddress)?.confirmed;
  const [email, setEmail] = useTypedAddress();
  const [password, setPassword] = useState('');
  const [state, setState] = useState<FormState>(refusedElsewhere);
  useAccountCodeSoon();
  const clearRefusal = () => setState({ kind: 'editing' });
  // The refusal shows only once, not again when the user returns to this page.
  useEffect(() => {
    if (currentSession().kind === 'signed-out') setSession({ kind: 'signed-out' });
  }, []);

  const submit = async () => {
    setState({ kind: 'sending' });
    const outcome = await withAccountCode(({ signIn }) => signIn(email, password));
    switch (outcome.kind) {
      case 'signed-in':
        return; // The page guard redirects signed-in users.
      case 'confirmation-required': {
        const query = new URLSearchParams({ email: email.trim(), source: 'signin' });
        const pending: PendingConfirmation = {
          newCode: outcome.mail.kind === 'done' || outcome.mail.message,
        };
        return navigate(`/email-confirmation?${query.toString()}`, { state: { ...cameFrom, ...pending } });
      }
      case 'refused':
        return setState(outcome);
    }
  };

  return (
    <AccountLayout
      title="Welcome back"
      footer={
        <p>
          New here?{' '}
          <Link to="/signup" state={cameFrom}>
            Create an account
          </Link>
        </p>
      }
    >
      {confirmed && state.kind !== 'refused' && (
        <Notice tone="success">Your e-mail address is confirmed. Sign in to go on.</Notice>
      )}
      {state.kind !== 'refused' && <SignedOutNotice />}
      <StorageNotice />
      <AccountForm
        state={state}
        onSubmit={submit}
        onEdit={clearRefusal}
        submit="Sign In"
        sending="Signing in..."
        reportsMissingFields={email.trim() === '' || password === ''}
        alternative={
          <SocialSignIn
            onBegin={clearRefusal}
            onRefused={(message) => setState({ kind: 'refused', of: 'alternative', message })}
          />
        }
      >
        <EmailField value={email} onChange={setEmail} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <p>
          <Link to="/forgot-password" state={{ ...cameFrom, email }}>
            Forgot your password?
          </Link>
        </p>
      </AccountForm>
    </AccountLayout>
  );
}

/** Shows why a provider sign-in failed. */
function refusedElsewhere(): FormState {
  const session = currentSession();
  return session.kind === 'signed-out' && session.refusal !== undefined
    ? { kind: 'refused', of: 'alternative', message: session.refusal }
    : { kind: 'editing' };
}
