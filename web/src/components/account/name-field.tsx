import { NAME_MISSING } from '../../account/credentials.ts';
import { TextField } from './text-field.tsx';

interface NameFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The fault of the name. Screen readers announce it. */
  fault: string | null;
}

export function NameField(props: NameFieldProps) {
  return <TextField name="name" autoComplete="name" missing={NAME_MISSING} {...props} />;
}
