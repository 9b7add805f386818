import { TextField } from '@aws-amplify/ui-react';

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
      isRequired
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
