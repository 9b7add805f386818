import { useState } from 'react';
import { AccountForm } from '../../../components/account/account-form.tsx';
import { CodeField } from '../../../components/account/code-field.tsx';
import { PasswordField } from '../../../components/account/password-field.tsx';
import { EmailField } from '../../../components/account/email-field.tsx';
import { EmailAddress } from '../../../components/email-address.tsx';
import type { FormControl } from '../../../components/account/use-account-form.ts';
import { Notice } from '../../../components/notice.tsx';
import { confirmAddress, requestAddress } from '../../../account/email-address.ts';
import type { User } from '../../../session/session.ts';
import { FormSetting, type SettingForm } from '../form-setting.tsx';
import { providerName } from '../ways-in/provider-name.ts';
import { SessionsEnded } from '../sessions/sessions-ended.tsx';
import { Setting } from '../setting.tsx';
import { UserNameField } from '../../../components/account/user-name-field.tsx';
import styles from '../settings.module.css';

const TITLE = 'Your email address';
const ANCHOR = 'change-address';

export function ChangeAddress({ user }: { user: User }) {
  return user.hasPassword ? (
    <FormSetting
      title={TITLE}
      anchor={ANCHOR}
      value={<EmailAddress of={user.email} />}
      about="We'll email a code to the new address. Your current address gets an email that can undo the change for seven days. You stay signed in here, and all your other sessions end."
    >
      {(props) => <AddressForm email={user.email} {...props} />}
    </FormSetting>
  ) : (
    <Setting
      title={TITLE}
      anchor={ANCHOR}
      about={`Your address comes from ${providerName(user)}. Change it there, and we'll update it the next time you sign in.`}
    />
  );
}

/** `code`: a mail is on its way to the new address. `returned`: the user came back from that step. */
type Step = { kind: 'address'; returned?: true } | { kind: 'code' };

function AddressForm({ email, form, finish }: { email: string } & SettingForm) {
  const [step, setStep] = useState<Step>({ kind: 'address' });
  const [entered, setEntered] = useState('');
  const [password, setPassword] = useState('');
  const newEmail = entered.trim();

  const goTo = (next: Step) => {
    form.edit();
    setStep(next);
  };

  const request = async () => {
    const { kind } = await form.send(requestAddress(newEmail, password));
    if (kind === 'done') goTo({ kind: 'code' });
  };

  const confirm = async (code: string) => {
    const outcome = await form.send(confirmAddress(newEmail, code, password));
    if (outcome.kind === 'done') {
      finish(
        <SessionsEnded certain={outcome.sessionsEnded}>
          Your address is now <strong>{newEmail}</strong>
        </SessionsEnded>,
      );
    } else if (outcome.codeIsVoid) {
      // The user can request another code with one press.
      setStep({ kind: 'address' });
    }
  };

  if (step.kind === 'code') {
    return (
      <CodeStep
        newEmail={newEmail}
        form={form}
        onSubmit={confirm}
        onBack={() => goTo({ kind: 'address', returned: true })}
      />
    );
  }
  return (
    <AccountForm
      form={form}
      onSubmit={request}
      submit="Send Code"
      sending="Sending..."
      tone="secondary"
      ready={newEmail.toLowerCase() !== email.toLowerCase()}
    >
      <UserNameField email={email} />
      <EmailField
        label="New address"
        name="newEmail"
        autoComplete="email"
        takesFocus={step.returned === true}
        value={entered}
        onChange={setEntered}
      />
      <PasswordField value={password} onChange={setPassword} />
    </AccountForm>
  );
}

interface CodeStepProps {
  newEmail: string;
  form: FormControl;
  onSubmit: (code: string) => Promise<void>;
  onBack: () => void;
}

function CodeStep({ newEmail, form, onSubmit, onBack }: CodeStepProps) {
  const [code, setCode] = useState('');
  return (
    <>
      <Notice>
        We sent a message to <strong>{newEmail}</strong>. Enter the code from it here within 15 minutes. Check
        your spam folder, too.
      </Notice>
      <AccountForm
        form={form}
        onSubmit={() => onSubmit(code)}
        submit="Change Email"
        sending="Changing..."
        tone="secondary"
      >
        <CodeField takesFocus label="Code" value={code} onChange={setCode} />
      </AccountForm>
      <button
        type="button"
        className={styles.TextButton}
        disabled={form.state.kind === 'sending'}
        onClick={onBack}
      >
        Use another address or get a new code
      </button>
    </>
  );
}
