import { TextField } from '@aws-amplify/ui-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { plans } from '../../../../schemas/product.ts';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { SocialSignIn } from '../../components/account/social-sign-in.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { signIn, signUp } from '../../session/sign-in.ts';
import { passwordFault } from '../../session/credentials.ts';
import { LONGEST_NAME } from '../../session/name-fault.ts';
import { useCameFrom } from '../../session/use-came-from.ts';
import styles from '../../components/account/account.module.css';

export default function SignupPage() {
  const navigate = useNavigate();
  const cameFrom = useCameFrom();
  const [account, setAccount] = useState({ name: '', email: '', password: '', confirmation: '' });
  const [state, setState] = useState<FormState>({ kind: 'editing' });
  const clearRefusal = () => setState({ kind: 'editing' });
  const edit = (change: Partial<typeof account>) => setAccount({ ...account, ...change });
  const { name, email, password, confirmation } = account;

  const submit = async () => {
    setState({ kind: 'sending' });
    const outcome = await signUp({ name, email, password });
    switch (outcome.kind) {
      case 'confirmation-required': {
        const query = new URLSearchParams({ email: email.trim(), source: 'signup' });
        return navigate(`/email-confirmation?${query.toString()}`, { state: cameFrom });
      }
      case 'complete': {
        const signedIn = await signIn(email, password);
        if (signedIn.kind === 'refused') setState(signedIn);
        return;
      }
      case 'refused':
        return setState(outcome);
    }
  };

  return (
    <AccountLayout
      title="Create your account"
      lead={`You begin on ${plans.free.name}: ${plans.free.price} ${plans.free.period}.`}
      footer={
        <p>
          Already have an account?{' '}
          <Link to="/login" state={cameFrom}>
            Sign In
          </Link>
        </p>
      }
    >
      <AccountForm
        state={state}
        onSubmit={submit}
        onEdit={clearRefusal}
        submit="Create Account"
        sending="Creating your account..."
        ready={confirmation === '' || passwordFault(password, confirmation) === null}
        reportsMissingFields={email.trim() === '' || password === ''}
        alternative={
          <SocialSignIn
            onBegin={clearRefusal}
            onRefused={(message) => setState({ kind: 'refused', message })}
          />
        }
      >
        <TextField
          label="Full name"
          name="name"
          autoComplete="name"
          maxLength={LONGEST_NAME}
          isRequired
          value={name}
          onChange={(event) => edit({ name: event.target.value })}
        />
        <EmailField value={email} onChange={(value) => edit({ email: value })} />
        <NewPasswordFields label="Password" password={password} confirmation={confirmation} onChange={edit} />
        <p className={styles.Small}>
          By creating an account you agree to the <PageLink to="/terms">Terms of Service</PageLink> and the{' '}
          <PageLink to="/privacy">Privacy Policy</PageLink>.
        </p>
      </AccountForm>
    </AccountLayout>
  );
}
