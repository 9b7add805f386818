import { useEffect, useRef } from 'react';
import { plainText } from '../../../../schemas/plain-text.ts';
import { CONFIRMATION_MISSING, PASSWORDS_DIFFER, passwordFault } from '../../account/credentials.ts';
import { PasswordField } from './password-field.tsx';

interface Entered {
  password: string;
  confirmation: string;
}

interface NewPasswordFieldsProps {
  label: string;
  entered: Entered;
  onChange: (entered: Entered) => void;
}

/** A password and its repetition. Faults show as soon as the user types. */
export function NewPasswordFields({ label, entered, onChange }: NewPasswordFieldsProps) {
  const { password, confirmation } = entered;
  // Both fields can report during hydration, before the next render.
  const latest = useRef({ password, confirmation });
  useEffect(() => {
    latest.current = { password, confirmation };
  }, [password, confirmation]);
  const edit = (change: Partial<Entered>) => {
    latest.current = { ...latest.current, ...change };
    onChange(latest.current);
  };
  const fault = passwordFault(password, confirmation);
  const differs = confirmation !== '' && plainText(confirmation) !== plainText(password);
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        value={password}
        fault={password !== '' && fault !== PASSWORDS_DIFFER ? fault : null}
        onChange={(value) => edit({ password: value })}
      />
      <PasswordField
        label="Confirm password"
        missing={CONFIRMATION_MISSING}
        name="confirmPassword"
        autoComplete="new-password"
        value={confirmation}
        fault={differs ? PASSWORDS_DIFFER : null}
        onChange={(value) => edit({ confirmation: value })}
      />
    </>
  );
}
