import { useState } from 'react';
import { call } from '../../api/call.ts';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { PasswordField } from '../../components/account/password-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { passwordFault } from '../../session/credentials.ts';
import type { User } from '../../session/session.ts';
import { Setting } from './setting.tsx';
import { useProvider } from './use-provider.ts';
import { UserNameField } from './user-name-field.tsx';

const TITLE = 'Your password';

export function ChangePassword({ user }: { user: User }) {
  const provider = useProvider(user);
  return user.hasPassword ? (
    <Setting
      title={TITLE}
      about="You stay signed in wherever you are now. We send you a mail, so that you would know if it wasn't you."
    >
      <PasswordForm email={user.email} />
    </Setting>
  ) : (
    <Setting title={TITLE} about={`You sign in with ${provider}, so there is no password here to change.`} />
  );
}

const EMPTY = { current: '', password: '', confirmation: '' };

function PasswordForm({ email }: { email: string }) {
  const [entered, setEntered] = useState(EMPTY);
  const [state, setState] = useState<FormState | { kind: 'done' }>({ kind: 'editing' });
  const { current, password, confirmation } = entered;
  const edit = (change: Partial<typeof EMPTY>) => {
    setEntered({ ...entered, ...change });
    setState({ kind: 'editing' });
  };

  const submit = async () => {
    setState({ kind: 'sending' });
    const answer = await call('change-password', {
      body: { currentPassword: current, newPassword: password },
    });
    if (!answer.ok) return setState({ kind: 'refused', message: answer.sentence });
    setEntered(EMPTY);
    setState({ kind: 'done' });
  };

  return (
    <>
      <AccountForm
        state={state.kind === 'done' ? { kind: 'editing' } : state}
        onSubmit={submit}
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
          onChange={(change) => edit(change)}
        />
      </AccountForm>
      {state.kind === 'done' && <Notice tone="success">Your password is changed.</Notice>}
    </>
  );
}
