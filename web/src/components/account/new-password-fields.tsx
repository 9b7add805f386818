import { PASSWORDS_DIFFER, passwordFault } from '../../session/credentials.ts';
import { PasswordField } from './password-field.tsx';

interface NewPasswordFieldsProps {
  label: string;
  password: string;
  confirmation: string;
  onChange: (entered: { password: string; confirmation: string }) => void;
}

/** A password and its repetition. Faults show as soon as the user types. */
export function NewPasswordFields({ label, password, confirmation, onChange }: NewPasswordFieldsProps) {
  const fault = passwordFault(password, confirmation);
  const differs = confirmation !== '' && confirmation !== password;
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        autoComplete="new-password"
        value={password}
        fault={password !== '' && fault !== PASSWORDS_DIFFER ? fault : null}
        onChange={(value) => onChange({ password: value, confirmation })}
      />
      <PasswordField
        label="Confirm password"
        name="confirmPassword"
        autoComplete="new-password"
        value={confirmation}
        fault={differs ? PASSWORDS_DIFFER : null}
        onChange={(value) => onChange({ password, confirmation: value })}
      />
    </>
  );
}
