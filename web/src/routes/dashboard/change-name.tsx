import { useState } from 'react';
import { AccountForm, type FormState } from '../../components/account/account-form.tsx';
import { NameField } from '../../components/account/name-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { nameSentence } from '../../session/name-sentence.ts';
import { changeName } from '../../session/change-name.ts';
import type { User } from '../../session/session.ts';
import { FormSetting, type SettingForm } from './form-setting.tsx';
import { providerName } from './provider-name.ts';

export function ChangeName({ user }: { user: User }) {
  return (
    <FormSetting
      title="Your name"
      value={user.name ?? 'We have no name of yours.'}
      about={
        user.hasPassword
          ? 'How we greet you here.'
          : `How we greet you here. When you next sign in, it is again the one ${providerName(user)} has.`
      }
    >
      {(form) => <NameForm user={user} {...form} />}
    </FormSetting>
  );
}

function NameForm({ user, hold, finish }: { user: User } & SettingForm) {
  // Null until the user types: the session's name, which another tab may change, shows until then.
  const [entered, setEntered] = useState<string | null>(null);
  const [state, setState] = useState<FormState>({ kind: 'editing' });
  const name = entered ?? user.name ?? '';
  const fault = entered === null ? null : nameSentence(entered);

  const submit = async () => {
    setState({ kind: 'sending' });
    const outcome = await changeName(name);
    if (outcome.kind === 'done') finish(<Notice tone="success">Your name is changed.</Notice>);
    else setState(outcome);
  };

  return (
    <AccountForm
      state={state}
      onSubmit={() => hold(submit())}
      onEdit={() => setState({ kind: 'editing' })}
      submit="Change Name"
      sending="Changing..."
      ready={fault === null}
    >
      <NameField label="Name" value={name} fault={fault} onChange={setEntered} />
    </AccountForm>
  );
}
