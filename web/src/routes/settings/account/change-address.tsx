import { useState } from 'react';
import type { WaitingAddress } from '../../../../../schemas/shapes/new-address.ts';
import { requestAddress, takeBackAddress } from '../../../account/email-address.ts';
import { ActionButton } from '../../../components/account/action-button.tsx';
import { AccountForm } from '../../../components/account/account-form.tsx';
import { EmailField } from '../../../components/account/email-field.tsx';
import { PasswordField } from '../../../components/account/password-field.tsx';
import { UserNameField } from '../../../components/account/user-name-field.tsx';
import { Day } from '../../../components/day.tsx';
import { EmailAddress } from '../../../components/email-address.tsx';
import { Notice, noticeProps } from '../../../components/notice.tsx';
import { takingFocus } from '../../../components/page/page-header.tsx';
import { useTyped } from '../../../navigation/use-typed.ts';
import type { User } from '../../../session/session.ts';
import { FormSetting, type SettingForm } from '../form-setting.tsx';
import { Setting } from '../setting.tsx';
import { providerName } from '../ways-in/provider-name.ts';
import type { LoadedSignIns } from '../../../account/use-sign-ins.ts';
import styles from '../settings.module.css';

const TITLE = 'Your email address';
const ANCHOR = 'change-address';

export function ChangeAddress({ user, signIns: { state } }: { user: User; signIns: LoadedSignIns }) {
  // The answer to the user's last change on this page.
  const [answered, setAnswered] = useState<WaitingAddress | null>();
  const read = state.kind === 'loaded' && state.value.ok ? state.value.value.waitingAddress : null;
  const waiting = answered === undefined ? read : answered;
  return user.hasPassword ? (
    <FormSetting
      title={TITLE}
      anchor={ANCHOR}
      value={<EmailAddress of={user.email} />}
      about="We'll email both addresses. Confirm the new address and approve the change from your current one. Without approval, it changes after seven days."
      status={
        waiting ? (
          <Waiting {...waiting} onTakenBack={() => setAnswered(null)} />
        ) : (
          answered === null && <TakenBack />
        )
      }
    >
      {(props) => <AddressForm email={user.email} onRequested={setAnswered} {...props} />}
    </FormSetting>
  ) : (
    <Setting
      title={TITLE}
      anchor={ANCHOR}
      about={`Your address comes from ${providerName(user)}. Change it there, and we'll update it the next time you sign in.`}
    />
  );
}

interface AddressFormProps extends SettingForm {
  email: string;
  onRequested: (waiting: WaitingAddress | null) => void;
}

function AddressForm({ email, onRequested, form, finish }: AddressFormProps) {
  const [entered, setEntered] = useTyped('newEmail');
  const [password, setPassword] = useState('');
  const newEmail = entered.trim();

  const request = async () => {
    const outcome = await form.send(requestAddress(newEmail, password));
    if (outcome.kind !== 'done') return;
    onRequested(outcome.waiting);
    setEntered('');
    finish(<Notice tone="success">We've emailed both addresses. Check your spam folder, too.</Notice>);
  };

  return (
    <AccountForm
      form={form}
      onSubmit={request}
      submit="Request Change"
      sending="Requesting..."
      tone="secondary"
      ready={newEmail.toLowerCase() !== email.toLowerCase()}
    >
      <UserNameField email={email} />
      <EmailField
        label="New address"
        name="newEmail"
        autoComplete="email"
        value={entered}
        onChange={setEntered}
      />
      <PasswordField value={password} onChange={setPassword} />
    </AccountForm>
  );
}

function Waiting({ onTakenBack, ...waiting }: WaitingAddress & { onTakenBack: () => void }) {
  const takeBack = async () => {
    const outcome = await takeBackAddress();
    if (outcome.kind === 'done') onTakenBack();
    return outcome;
  };
  return (
    <div className={styles.About}>
      <p>
        <strong>
          <EmailAddress of={waiting.email} />
        </strong>{' '}
        becomes your address <Missing {...waiting} />
      </p>
      <div>
        <ActionButton tone="secondary" work={takeBack} busy="One moment...">
          Cancel the change
        </ActionButton>
      </div>
    </div>
  );
}

function Missing({ isProved, isApproved, changesAt }: WaitingAddress) {
  if (isApproved) return isProved ? 'in a moment.' : 'once you press the button in our email to it.';
  const day = <Day moment={changesAt} />;
  return isProved ? (
    <>once you press the button in our email to your current address, or else on {day}.</>
  ) : (
    <>
      once you press two buttons: in our email to it, and in our email to your current address. Without the
      second, it takes until {day}.
    </>
  );
}

/** Takes the focus, which the button had. */
const TakenBack = () => (
  <output {...noticeProps('success')} {...takingFocus}>
    The change is canceled. Your address stays as it is.
  </output>
);
