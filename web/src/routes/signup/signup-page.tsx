import { useState } from 'react';
import { signInCode, signUpCode, useCodeSoon } from '../../account/account-code.ts';
import { withCode } from '../../account/with-code.ts';
import { useNavigate } from 'react-router-dom';
import { free } from '../../../../schemas/product/offers.ts';
import { Agreement } from '../../components/account/agreement.tsx';
import { AccountForm } from '../../components/account/account-form.tsx';
import { refusedElsewhere } from '../../components/account/refused-elsewhere.ts';
import { SignedOutNotice } from '../../components/account/signed-out-notice.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { NameField } from '../../components/account/name-field.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { SocialSignIn } from '../../components/account/social-sign-in.tsx';
import { StorageNotice } from '../../components/account/storage-notice.tsx';
import { useAccountForm } from '../../components/account/use-account-form.ts';
import { Way } from '../../components/account/way.tsx';
import { passwordFault } from '../../account/credentials.ts';
import { keepGoingTo } from '../../account/going-to.ts';
import { nameSentence } from '../../account/name-sentence.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import type { PendingConfirmation } from '../../navigation/use-router-state.ts';
import { useTyped } from '../../navigation/use-typed.ts';

export default function SignupPage() {
  const navigate = useNavigate();
  const cameFrom = useCameFrom();
  const [email, setEmail] = useTyped('email');
  const [name, setName] = useTyped('name');
  const [entered, setEntered] = useState({ password: '', confirmation: '' });
  const form = useAccountForm(refusedElsewhere);
  useCodeSoon(signUpCode);
  const { password, confirmation } = entered;
  const nameFault = name === '' ? null : nameSentence(name);

  const submit = async () => {
    const outcome = await form.send(withCode(signUpCode, ({ signUp }) => signUp({ name, email, password })));
    if (outcome.kind === 'confirmation-required') {
      const query = new URLSearchParams({ email: email.trim(), source: 'signup' });
      const { userId, newCode } = outcome;
      const pending: PendingConfirmation = { userId, newCode };
      await keepGoingTo(cameFrom.from);
      await navigate(`/email-confirmation?${query.toString()}`, { state: { ...cameFrom, ...pending } });
    } else if (outcome.kind === 'complete') {
      await form.send(withCode(signInCode, ({ signIn }) => signIn(email, password)));
    }
  };

  return (
    <AccountLayout
      title="Create your account"
      lead={`You start on ${free.name}: ${free.price} ${free.period}.`}
      footer={
        <p>
          Already have an account?{' '}
          <Way to="/login" email={email}>
            Sign In
          </Way>
        </p>
      }
    >
      {form.state.kind !== 'refused' && <SignedOutNotice />}
      <StorageNotice />
      <AccountForm
        form={form}
        email={email}
        onSubmit={submit}
        submit="Create Account"
        sending="Creating your account..."
        ready={nameFault === null && (confirmation === '' || passwordFault(password, confirmation) === null)}
        reportsMissingFields={email.trim() === '' || password === ''}
        alternative={<SocialSignIn form={form} on="/signup" />}
      >
        <NameField label="Full name" value={name} fault={nameFault} onChange={setName} />
        <EmailField value={email} onChange={setEmail} />
        <NewPasswordFields label="Password" entered={entered} onChange={setEntered} />
      </AccountForm>
      <Agreement />
    </AccountLayout>
  );
}
