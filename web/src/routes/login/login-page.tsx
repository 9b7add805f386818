import { useEffect, useState } from 'react';
import { signInCode, useCodeSoon } from '../../account/account-code.ts';
import { withCode } from '../../account/with-code.ts';
import { Link, useNavigate } from 'react-router-dom';
import { Agreement } from '../../components/account/agreement.tsx';
import { AccountForm } from '../../components/account/account-form.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { PasswordField } from '../../components/account/password-field.tsx';
import { refusedElsewhere } from '../../components/account/refused-elsewhere.ts';
import { SignedOutNotice } from '../../components/account/signed-out-notice.tsx';
import { SocialSignIn } from '../../components/account/social-sign-in.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { useAccountForm } from '../../components/account/use-account-form.ts';
import { Way } from '../../components/account/way.tsx';
import { forgetSignUpSecret } from '../../account/sign-up-browser.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import type { PendingConfirmation } from '../../navigation/use-router-state.ts';
import { useTyped } from '../../navigation/use-typed.ts';
import { Newcomer } from './newcomer.tsx';
import { currentSession, setSession } from '../../session/session.ts';

export default function LoginPage() {
  const navigate = useNavigate();
  const cameFrom = useCameFrom();
  const [email, setEmail] = useTyped('email');
  const [password, setPassword] = useState('');
  const form = useAccountForm(refusedElsewhere);
  useCodeSoon(signInCode);
  // The refusal shows only once, not again when the user returns to this page.
  useEffect(() => {
    if (currentSession().kind === 'signed-out') setSession({ kind: 'signed-out' });
  }, []);

  const submit = async () => {
    const outcome = await form.send(withCode(signInCode, ({ signIn }) => signIn(email, password)));
    if (outcome.kind !== 'confirmation-required') {
      // Whoever signed up in this browser before may be somebody else, whose password must not count.
      forgetSignUpSecret();
      // The page guard redirects signed-in users.
      return;
    }
    const query = new URLSearchParams({ email: email.trim(), source: 'signin' });
    const pending: PendingConfirmation = { newCode: outcome.mail.kind === 'done' || outcome.mail.message };
    await navigate(`/email-confirmation?${query.toString()}`, { state: { ...cameFrom, ...pending } });
  };

  return (
    <AccountLayout
      title="Welcome back"
      footer={
        <>
          <p>
            New here?{' '}
            <Way to="/signup" email={email}>
              Create an account
            </Way>
          </p>
          <p>
            <Link to="/help#contact">Lost access to your email?</Link>
          </p>
        </>
      }
    >
      {form.state.kind !== 'refused' && <SignedOutNotice />}
      <StorageNotice />
      <Newcomer />
      <AccountForm
        form={form}
        email={email}
        onSubmit={submit}
        submit="Sign In"
        sending="Signing in..."
        reportsMissingFields={email.trim() === '' || password === ''}
        alternative={<SocialSignIn form={form} on="/login" />}
      >
        <EmailField value={email} onChange={setEmail} />
        <PasswordField value={password} onChange={setPassword} />
        <p>
          <Way to="/forgot-password" email={email}>
            Forgot your password?
          </Way>
        </p>
      </AccountForm>
      <Agreement />
    </AccountLayout>
  );
}
