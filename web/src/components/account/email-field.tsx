import { plainAddress } from '../../../../schemas/plain-text.ts';
import { EMAIL_INVALID, EMAIL_MISSING } from '../../account/credentials.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

/** Password managers store the address as the user name. */
export function EmailField(props: Omit<TextFieldProps, 'label'> & { label?: string }) {
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
      read={plainAddress}
      {...props}
    />
  );
}
