import { type KeyboardEvent, useId, useState } from 'react';
import { PASSWORD_MISSING } from '../../account/credentials.ts';
import styles from './account.module.css';
import fieldStyles from './field.module.css';
import { TextField, type TextFieldProps } from './text-field.tsx';

/** The password of the account by default. A button reveals it, and a hint shows while Caps Lock is on. */
export function PasswordField(props: Omit<TextFieldProps, 'label'> & { label?: string }) {
  const id = useId();
  const [revealed, setRevealed] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  // Only key events tell about Caps Lock: its own key on keyup or on keydown, depending on the system.
  const updateCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div>
      <TextField
        label="Password"
        name="password"
        autoComplete="current-password"
        missing={PASSWORD_MISSING}
        {...props}
        type={revealed ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby={`${id}-caps`}
        onKeyDown={updateCapsLock}
        onKeyUp={updateCapsLock}
        onBlur={() => setCapsLock(false)}
      >
        <button
          type="button"
          className={fieldStyles.Reveal}
          data-marks
          role="switch"
          aria-label="Show password"
          aria-checked={revealed}
          onClick={() => setRevealed(!revealed)}
        >
          <Eye crossedOut={revealed} />
        </button>
      </TextField>
      {/* Always rendered: some screen readers don't announce a live region that appears with its text. */}
      <output>
        <span id={`${id}-caps`} className={styles.Hint}>
          {capsLock && 'Caps Lock is on'}
        </span>
      </output>
    </div>
  );
}

function Eye({ crossedOut }: { crossedOut: boolean }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="1.5rem"
      height="1.5rem"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d="M2 12c2.5-4.5 6-6.75 10-6.75S19.5 7.5 22 12c-2.5 4.5-6 6.75-10 6.75S4.5 16.5 2 12Z" />
      <circle cx="12" cy="12" r="3" />
      {crossedOut && <path d="m4 3.5 16 17" />}
    </svg>
  );
}
