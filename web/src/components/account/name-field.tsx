import { NAME_MISSING } from '../../account/credentials.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

export function NameField(props: TextFieldProps) {
  return <TextField name="name" autoComplete="name" missing={NAME_MISSING} {...props} />;
}
