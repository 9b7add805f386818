import { useState } from 'react';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { CodeField } from '../../components/account/code-field.tsx';
import { PasswordField } from '../../components/account/password-field.tsx';
import { TextField } from '../../components/account/text-field.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { Notice } from '../../components/notice.tsx';
import { confirmAddress, requestAddress } from '../../account/email-address.ts';
import { EMAIL_INVALID, EMAIL_MISSING } from '../../account/credentials.ts';
import type { User } from '../../session/session.ts';
import { FormSetting, type SettingForm } from './form-setting.tsx';
import { providerName } from './provider-name.ts';
import { Setting } from './setting.tsx';
import { UserNameField } from '../../components/account/user-name-field.tsx';
import styles from './settings.module.css';

const TITLE = 'Your e-mail address';
const ANCHOR = 'change-address';

export function ChangeAddress({ user }: { user: User }) {
  return user.hasPassword ? (
    <FormSetting
      title={TITLE}
      anchor={ANCHOR}
      value={<EmailAddress of={user.email} />}
      about="We'll email a code to the new address. Your current address gets an email that can undo the change for seven days. You stay signed in here, and all your other sessions end."
    >
      {(form) => <AddressForm email={user.email} {...form} />}
    </FormSetting>
  ) : (
    <Setting
      title={TITLE}
      anchor={ANCHOR}
      about={`Your address comes from ${providerName(user)}. Change it there, and we'll update it the next time you sign in.`}
    />
  );
}

/**
 * The step of the change. `code`: a mail is on its way to the new address. `returned`: the user came back
 * from that step.
 */
type Step = { kind: 'address'; returned?: true } | { kind: 'code' };

function AddressForm({ email, hold, finish }: { email: string } & SettingForm) {
  const [step, setStep] = useState<Step>({ kind: 'address' });
  const [state, setState] = useState<FormState>({ kind: 'editing' });
  const [entered, setEntered] = useState('');
  const [password, setPassword] = useState('');
  const edit = () => setState({ kind: 'editing' });
  const newEmail = entered.trim();

  const goTo = (next: Step) => {
    edit();
    setStep(next);
  };

  const request = async () => {
    setState({ kind: 'sending' });
    const outcome = await requestAddress(newEmail, password);
    if (outcome.kind === 'refused') return setState(outcome);
    return goTo({ kind: 'code' });
  };

  const confirm = async (code: string) => {
    setState({ kind: 'sending' });
    const outcome = await confirmAddress(newEmail, code, password);
    if (outcome.kind === 'done') {
      return finish(<Changed email={newEmail} sessionsEnded={outcome.sessionsEnded} />);
    }
    setState(outcome);
    // The user can request another code with one press.
    if (outcome.codeIsVoid) setStep({ kind: 'address' });
  };

  if (step.kind === 'code') {
    return (
      <CodeStep
        newEmail={newEmail}
        state={state}
        onSubmit={(code) => hold(confirm(code))}
        onEdit={edit}
        onBack={() => goTo({ kind: 'address', returned: true })}
      />
    );
  }
  return (
    <AccountForm
      state={state}
      onSubmit={() => hold(request())}
      onEdit={edit}
      submit="Send Code"
      sending="Sending..."
      ready={newEmail.toLowerCase() !== email.toLowerCase()}
    >
      <UserNameField email={email} />
      <NewAddressField takesFocus={step.returned === true} value={entered} onChange={setEntered} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    </AccountForm>
  );
}

interface NewAddressFieldProps {
  takesFocus: boolean;
  value: string;
  onChange: (value: string) => void;
}

function NewAddressField({ takesFocus, value, onChange }: NewAddressFieldProps) {
  return (
    <TextField
      takesFocus={takesFocus}
      label="New address"
      name="newEmail"
      type="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      missing={EMAIL_MISSING}
      malformed={EMAIL_INVALID}
      value={value}
      onChange={onChange}
    />
  );
}

interface CodeStepProps {
  newEmail: string;
  state: FormState;
  onSubmit: (code: string) => Promise<void>;
  onEdit: () => void;
  onBack: () => void;
}

function CodeStep({ newEmail, state, onSubmit, onEdit, onBack }: CodeStepProps) {
  const [code, setCode] = useState('');
  return (
    <>
      <Notice>
        We sent a message to <strong>{newEmail}</strong>. Enter the code from it here within 15 minutes. Check
        your spam folder, too.
      </Notice>
      <AccountForm
        state={state}
        onSubmit={() => onSubmit(code)}
        onEdit={onEdit}
        submit="Change Email"
        sending="Changing..."
      >
        <CodeField takesFocus label="Code" value={code} onChange={setCode} />
      </AccountForm>
      <button
        type="button"
        className={styles.TextButton}
        disabled={state.kind === 'sending'}
        onClick={onBack}
      >
        Use another address or get a new code
      </button>
    </>
  );
}

function Changed({ email, sessionsEnded }: { email: string; sessionsEnded: boolean }) {
  return sessionsEnded ? (
    <Notice tone="success">
      Your address is now <strong>{email}</strong>. All your other sessions have ended; a device that is in
      use right now may take fifteen minutes to notice.
    </Notice>
  ) : (
    <Notice tone="danger">
      Your address is now <strong>{email}</strong>, but we couldn't make sure that all your other sessions
      have ended. Press Sign Out Everywhere below to end them.
    </Notice>
  );
}
