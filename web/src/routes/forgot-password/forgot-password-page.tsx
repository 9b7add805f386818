import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { OFFERED_NAMES } from '../../account/offered-providers.ts';
import { AccountForm } from '../../components/account/account-form.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { MailMissing } from '../../components/account/mail-missing.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { useAccountForm } from '../../components/account/use-account-form.ts';
import { useAccountCodeSoon, withAccountCode } from '../../account/account-code.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import { useTypedAddress } from '../../navigation/use-typed-address.ts';

export default function ForgotPasswordPage() {
  const cameFrom = useCameFrom();
  const navigate = useNavigate();
  const [email, setEmail] = useTypedAddress();
  const form = useAccountForm();
  const [isSent, setSent] = useState(false);

  useAccountCodeSoon();

  const submit = async () => {
    const { kind } = await form.send(
      withAccountCode(({ requestPasswordReset }) => requestPasswordReset(email)),
    );
    setSent(kind === 'done');
    if (kind === 'sign-up-again') {
      await navigate('/signup', { state: { ...cameFrom, email: email.trim(), removed: true } });
    }
  };

  const back = (
    <p>
      <Link to="/login" state={cameFrom}>
        Back to Sign In
      </Link>
    </p>
  );
  if (isSent) {
    return (
      // The key remounts the layout, so that the focus moves to the new heading.
      <AccountLayout
        key="sent"
        takesFocus
        title="Check your email"
        lead={
          <output>
            If there is an account for <strong>{email.trim()}</strong>, a link to choose a new password is on
            its way.
          </output>
        }
        footer={back}
      >
        <p>If you sign in with {OFFERED_NAMES} and have no password, the email says so instead.</p>
        <p>Nothing there after a minute or two? Please look in your spam folder.</p>
        <MailMissing />
        <p>
          Does the email have a code and no link?{' '}
          <Link to="/reset-password" state={{ email: email.trim(), codeToType: true }}>
            Type the code
          </Link>
        </p>
      </AccountLayout>
    );
  }
  return (
    <AccountLayout
      title="Forgot your password?"
      lead="Type the email address of your account, and we'll send you a link to choose a new one."
      footer={back}
    >
      <StorageNotice />
      <AccountForm form={form} onSubmit={submit} submit="Send Link" sending="Sending...">
        <EmailField value={email} onChange={setEmail} />
      </AccountForm>
    </AccountLayout>
  );
}
