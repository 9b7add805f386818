import { TextField } from '@aws-amplify/ui-react';
import { useId } from 'react';

interface NameFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with the name. Screen readers announce it. */
  fault: string | null;
}

export function NameField({ label, value, onChange, fault }: NameFieldProps) {
  const id = useId();
  return (
    <TextField
      label={label}
      name="name"
      autoComplete="name"
      isRequired
      value={value}
      hasError={fault !== null}
      errorMessage={
        <span id={id} role="alert">
          {fault}
        </span>
      }
      {...(fault !== null && { 'aria-describedby': id })}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
