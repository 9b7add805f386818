import { PasswordField as Field } from '@aws-amplify/ui-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { limits } from '../../../../schemas/product.ts';
import styles from './account.module.css';

interface PasswordFieldProps {
  label: string;
  name: string;
  /** Tells password managers whether to fill in or to generate a password. */
  autoComplete: 'current-password' | 'new-password';
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with the password. Screen readers announce it. */
  fault?: string | null;
}

/** A password with a button that reveals it, and a hint while Caps Lock is on. */
export function PasswordField({
  label,
  name,
  autoComplete,
  value,
  onChange,
  fault = null,
}: PasswordFieldProps) {
  const id = useId();
  const [capsLock, setCapsLock] = useState(false);
  // Only key events tell. Caps Lock itself sends its state on keyup in some systems and on keydown in others.
  const updateCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div>
      <Field
        label={label}
        name={name}
        autoComplete={autoComplete}
        isRequired
        {...(autoComplete === 'new-password' && { minLength: limits.minimumPasswordLength })}
        value={value}
        hasError={fault !== null}
        errorMessage={
          <span id={`${id}-fault`} role="alert">
            {fault}
          </span>
        }
        aria-describedby={fault === null ? `${id}-caps` : `${id}-fault ${id}-caps`}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={updateCapsLock}
        onKeyUp={updateCapsLock}
        onBlur={() => setCapsLock(false)}
      />
      {/* Always rendered: some screen readers don't announce a live region that appears with its text. */}
      <output>
        <span id={`${id}-caps`} className={styles.Hint}>
          {capsLock && 'Caps Lock is on'}
        </span>
      </output>
    </div>
  );
}
