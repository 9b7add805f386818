import { withPlainDigits } from '../../../../schemas/plain-text.ts';
import { CODE_INCOMPLETE, CODE_MISSING } from '../../account/credentials.ts';
import styles from './code-field.module.css';
import { TextField, type TextFieldProps } from './text-field.tsx';

// Cognito's codes and ours have six digits.
const DIGITS = 6;

/** The code from a mail. Keeps only the text's digits, of any script: mail programs and people add spaces. */
export function CodeField(props: TextFieldProps) {
  return (
    <div className={styles.CodeField}>
      <TextField
        {...props}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        pattern={`\\d{${DIGITS}}`}
        inputClassName={styles.Code}
        missing={CODE_MISSING}
        malformed={CODE_INCOMPLETE}
        read={(typed) => withPlainDigits(typed).replaceAll(/\D/g, '').slice(0, DIGITS)}
      />
    </div>
  );
}
