import { passwordFault } from '../../account/credentials.ts';
import { nameSentence } from '../../account/name-sentence.ts';
import { NameField } from '../../components/account/name-field.tsx';
import { NewPasswordFields } from '../../components/account/new-password-fields.tsx';
import { Notice } from '../../components/notice.tsx';

export interface ChosenAccount {
  name: string;
  password: string;
  confirmation: string;
  /** Whether the form can be sent. */
  isComplete: boolean;
}

interface AccountFieldsProps {
  account: ChosenAccount;
  onChange: (account: ChosenAccount) => void;
}

/** Anyone may have typed the address into a sign-up form, so the person who confirms the address decides. */
export default function AccountFields({ account, onChange }: AccountFieldsProps) {
  const edit = (change: Partial<ChosenAccount>) => {
    const next = { ...account, ...change };
    const isComplete =
      nameSentence(next.name) === null && passwordFault(next.password, next.confirmation) === null;
    onChange({ ...next, isComplete });
  };
  const { name } = account;
  return (
    <>
      <Notice>
        You signed up in another browser: type the email's code there, or choose a name and a password here.
      </Notice>
      <NameField
        label="Full name"
        value={name}
        fault={name === '' ? null : nameSentence(name)}
        onChange={(value) => edit({ name: value })}
        takesFocus
      />
      <NewPasswordFields label="Password" entered={account} onChange={edit} />
    </>
  );
}
