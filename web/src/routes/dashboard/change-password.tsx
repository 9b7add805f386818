import { useState } from 'react';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { PasswordField } from '../../components/account/password-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { passwordFault } from '../../account/credentials.ts';
import { changePassword } from '../../account/password.ts';
import type { User } from '../../session/session.ts';
import { FormSetting, type SettingForm } from './form-setting.tsx';
import { providerName } from './provider-name.ts';
import { Setting } from './setting.tsx';
import { UserNameField } from '../../components/account/user-name-field.tsx';

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
      {(form) => <PasswordForm email={user.email} {...form} />}
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

function PasswordForm({ email, hold, finish }: { email: string } & SettingForm) {
  const [entered, setEntered] = useState(EMPTY);
  const [state, setState] = useState<FormState>({ kind: 'editing' });
  const { current, password, confirmation } = entered;
  const edit = (change: Partial<typeof EMPTY>) => setEntered({ ...entered, ...change });

  const submit = async () => {
    setState({ kind: 'sending' });
    const outcome = await changePassword(current, password);
    if (outcome.kind === 'done') finish(<Changed sessionsEnded={outcome.sessionsEnded} />);
    else setState(outcome);
  };

  return (
    <AccountForm
      state={state}
      onSubmit={() => hold(submit())}
      onEdit={() => setState({ kind: 'editing' })}
      submit="Change Password"
      sending="Changing..."
      ready={confirmation === '' || passwordFault(password, confirmation) === null}
    >
      <UserNameField email={email} />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
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

/** `sessionsEnded`: whether every other session has certainly ended. */
function Changed({ sessionsEnded }: { sessionsEnded: boolean }) {
  return sessionsEnded ? (
    <Notice tone="success">
      Your password has been changed. All your other sessions have ended; a device that is in use right now
      may take fifteen minutes to notice.
    </Notice>
  ) : (
    <Notice tone="danger">
      Your password has been changed, but we couldn't make sure that all your other sessions have ended. Press
      Sign Out Everywhere below to end them.
    </Notice>
  );
}
