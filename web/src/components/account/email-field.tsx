import { EMAIL_INVALID, EMAIL_MISSING } from '../../account/credentials.ts';
import { TextField } from './text-field.tsx';

/** Password managers store the address as the user name. */
export function EmailField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      missing={EMAIL_MISSING}
      malformed={EMAIL_INVALID}
      value={value}
      onChange={onChange}
    />
  );
}
