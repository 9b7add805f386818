import { PasswordField } from '@aws-amplify/ui-react';
import { limits } from '../../../../schemas/product.ts';
import { PASSWORDS_DIFFER, passwordFault } from '../../session/credentials.ts';

interface NewPasswordFieldsProps {
  label: string;
  password: string;
  confirmation: string;
  onChange: (entered: { password: string; confirmation: string }) => void;
}

/** A password and its repetition. Faults show as soon as there is something to be wrong. */
export function NewPasswordFields({ label, password, confirmation, onChange }: NewPasswordFieldsProps) {
  const fault = passwordFault(password, confirmation);
  const own = password !== '' && fault !== PASSWORDS_DIFFER ? fault : null;
  const differs = confirmation !== '' && confirmation !== password;
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        autoComplete="new-password"
        isRequired
        minLength={limits.minimumPasswordLength}
        value={password}
        hasError={own !== null}
        errorMessage={<span role="alert">{own}</span>}
        onChange={(event) => onChange({ password: event.target.value, confirmation })}
      />
      <PasswordField
        label="Confirm password"
        name="confirmPassword"
        autoComplete="new-password"
        isRequired
        value={confirmation}
        hasError={differs}
        errorMessage={<span role="alert">{PASSWORDS_DIFFER}</span>}
        onChange={(event) => onChange({ password, confirmation: event.target.value })}
      />
    </>
  );
}
