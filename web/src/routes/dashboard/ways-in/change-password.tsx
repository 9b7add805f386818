import { useState } from 'react';
import { AccountForm } from '../../../components/account/account-form.tsx';
import { NewPasswordFields } from '../../../components/account/new-password-fields.tsx';
import { PasswordField } from '../../../components/account/password-field.tsx';
import { passwordFault } from '../../../account/credentials.ts';
import { changePassword } from '../../../account/password.ts';
import type { User } from '../../../session/session.ts';
import { FormSetting, type SettingForm } from '../form-setting.tsx';
import { providerName } from './provider-name.ts';
import { SessionsEnded } from '../sessions/sessions-ended.tsx';
import { Setting } from '../setting.tsx';
import { UserNameField } from '../../../components/account/user-name-field.tsx';

const TITLE = 'Your password';
const ANCHOR = 'change-password';

export function ChangePassword({ user }: { user: User }) {
  return user.hasPassword ? (
    <FormSetting
      title={TITLE}
      anchor={ANCHOR}
      value="You sign in with a password."
      about="You stay signed in here, and all your other sessions end. We'll send you an email, so you'd know if it wasn't you."
    >
      {(props) => <PasswordForm email={user.email} {...props} />}
    </FormSetting>
  ) : (
    <Setting
      title={TITLE}
      anchor={ANCHOR}
      about={`You sign in with ${providerName(user)}, so there is no password here to change.`}
    />
  );
}

const EMPTY = { current: '', password: '', confirmation: '' };

function PasswordForm({ email, form, finish }: { email: string } & SettingForm) {
  const [entered, setEntered] = useState(EMPTY);
  const { current, password, confirmation } = entered;
  const edit = (change: Partial<typeof EMPTY>) => setEntered({ ...entered, ...change });

  const submit = async () => {
    const outcome = await form.send(changePassword(current, password));
    if (outcome.kind === 'done') {
      finish(<SessionsEnded certain={outcome.sessionsEnded}>Your password has been changed</SessionsEnded>);
    }
  };

  return (
    <AccountForm
      form={form}
      onSubmit={submit}
      submit="Change Password"
      sending="Changing..."
      tone="secondary"
      ready={confirmation === '' || passwordFault(password, confirmation) === null}
    >
      <UserNameField email={email} />
      <PasswordField
        label="Current password"
        name="currentPassword"
        value={current}
        onChange={(value) => edit({ current: value })}
      />
      <NewPasswordFields
        label="New password"
        password={password}
        confirmation={confirmation}
        onChange={edit}
      />
    </AccountForm>
  );
}
