import { AccountForm } from '../../../components/account/account-form.tsx';
import { NameField } from '../../../components/account/name-field.tsx';
import { Notice } from '../../../components/notice.tsx';
import { nameSentence } from '../../../account/name-sentence.ts';
import { changeName } from '../../../account/name.ts';
import { useTyped } from '../../../navigation/use-typed.ts';
import type { User } from '../../../session/session.ts';
import { FormSetting, type SettingForm } from '../form-setting.tsx';
import { providerName } from '../ways-in/provider-name.ts';

export function ChangeName({ user }: { user: User }) {
  return (
    <FormSetting
      title="Your name"
      value={user.name ?? "You haven't added a name."}
      about={
        user.hasPassword
          ? 'How we greet you here.'
          : `How we greet you here. The next time you sign in, it changes back to the name we get from ${providerName(user)}.`
      }
    >
      {(props) => <NameForm user={user} {...props} />}
    </FormSetting>
  );
}

function NameForm({ user, form, finish }: { user: User } & SettingForm) {
  const before = user.name ?? '';
  const [name, setName] = useTyped('name', before);
  const fault = name === before ? null : nameSentence(name);

  const submit = async () => {
    const { kind } = await form.send(changeName(name));
    if (kind === 'done') finish(<Notice tone="success">Your name has been changed.</Notice>);
  };

  return (
    <AccountForm
      form={form}
      onSubmit={submit}
      submit="Change Name"
      sending="Changing..."
      tone="secondary"
      ready={fault === null}
    >
      <NameField label="Name" value={name} fault={fault} onChange={setName} />
    </AccountForm>
  );
}
