import { useState } from 'react';
import { AccountForm } from '../../../components/account/account-form.tsx';
import { NewPasswordFields } from '../../../components/account/new-password-fields.tsx';
import { PasswordField } from '../../../components/account/password-field.tsx';
import { UserNameField } from '../../../components/account/user-name-field.tsx';
import { passwordFault } from '../../../account/credentials.ts';
import { changePassword } from '../../../account/password.ts';
import { FormSetting, type SettingForm } from '../form-setting.tsx';
import { SessionsEnded } from '../sessions/sessions-ended.tsx';

/** The id of the row about the password, to which `/.well-known/change-password` leads. */
export const PASSWORD = 'change-password';

export const PasswordWay = ({ email }: { email: string }) => (
  <FormSetting
    nested
    title="Password"
    anchor={PASSWORD}
    value="Set"
    about="You stay signed in here and are signed out everywhere else. We'll email you about it."
  >
    {(props) => <PasswordForm email={email} {...props} />}
  </FormSetting>
);

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
      <NewPasswordFields label="New password" entered={entered} onChange={edit} />
    </AccountForm>
  );
}
