import { PasswordField as Field } from '@aws-amplify/ui-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { limits } from '../../../../schemas/product.ts';
import styles from './account.module.css';

interface PasswordFieldProps {
  label: string;
  name: string;
  /** By which password managers tell whether to fill in a password or to make one. */
  autoComplete: 'current-password' | 'new-password';
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with it, read out as it appears. */
  fault?: string | null;
}

/** A password, which its eye shows, with a word when Caps Lock is on. */
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
  // Only a key event tells; the key itself tells on its way up in some systems, and on its way down in others.
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
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
        onKeyDown={look}
        onKeyUp={look}
        onBlur={() => setCapsLock(false)}
      />
      {/* It stands there before it speaks: what comes with its words is not read out everywhere. */}
      <output>
        <span id={`${id}-caps`} className={styles.Hint}>
          {capsLock && 'Caps Lock is on'}
        </span>
      </output>
    </div>
  );
}
