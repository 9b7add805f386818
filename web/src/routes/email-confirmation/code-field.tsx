import { TextField } from '../../components/account/text-field.tsx';
import { CODE_MISSING } from '../../session/credentials.ts';
import styles from './email-confirmation.module.css';

// Cognito's confirmation codes have six digits.
const DIGITS = 6;

/** Takes the digits of what is typed or pasted: mail programs and people add spaces. */
export function CodeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label="Confirmation code"
      name="code"
      autoComplete="one-time-code"
      inputMode="numeric"
      inputClassName={styles.Code}
      missing={CODE_MISSING}
      value={value}
      onChange={(typed) => onChange(typed.replaceAll(/\D/g, '').slice(0, DIGITS))}
    />
  );
}
