import {
  type ComponentProps,
  type ReactNode,
  useContext,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { visibleText } from '../../../../schemas/plain-text.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import styles from './field.module.css';
import { MarksMissing } from './marks-missing.ts';

type InputProps = Omit<
  ComponentProps<'input'>,
  'id' | 'ref' | 'className' | 'value' | 'required' | 'onChange' | 'onInvalid'
>;

export interface TextFieldProps extends InputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Turns text into the value, once the keyboard has composed it. @default without invisible characters */
  read?: (typed: string) => string;
  /** The fault of the value. Screen readers announce it. */
  fault?: string | null;
  /** Makes the field required: the sentence beside the field if it is empty when the form is sent. */
  missing?: string;
  /** The sentence for a value that doesn't match the field's `type` or `pattern`. */
  malformed?: string;
  /** Set for the first field of a form that replaces another form. */
  takesFocus?: boolean;
  /** An element inside the field's box, such as a button at its end. */
  children?: ReactNode;
  inputClassName?: string | undefined;
}

/** A labeled input. Shows its own sentence for a fault, and keeps what was typed before hydration. */
export function TextField({
  label,
  value,
  onChange,
  read = visibleText,
  fault = null,
  missing,
  malformed,
  takesFocus = false,
  inputClassName,
  'aria-describedby': description,
  children,
  ...props
}: TextFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const typedEarly = useRef('');
  const hydrated = useHydrated();
  const [refusal, setRefusal] = useState<string | null>(null);
  const sentence = fault ?? refusal;
  const isMissing = useContext(MarksMissing) && missing !== undefined && value.trim() === '';
  const describedBy = [sentence !== null && `${id}-fault`, description].filter(Boolean).join(' ');

  // React leaves the input's value alone during hydration, but would overwrite it at the next render.
  const keepTyped = useEffectEvent(() => {
    const typed = input.current?.value;
    if (typed === undefined || typed === value) return;
    typedEarly.current = read(typed);
    onChange(read(typed));
  });
  useLayoutEffect(() => {
    keepTyped();
  }, []);
  // The previous page's value arrives after hydration. A user in the field replaces it with the next key.
  const selectPrefilled = useEffectEvent(() => {
    if (value !== typedEarly.current && document.activeElement === input.current) input.current?.select();
  });
  useLayoutEffect(() => {
    if (hydrated) selectPrefilled();
  }, [hydrated]);
  useLayoutEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);

  return (
    <div className={styles.Field}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.Box}>
        <input
          {...props}
          id={id}
          ref={input}
          className={inputClassName}
          value={value}
          required={missing !== undefined}
          aria-invalid={isMissing || sentence !== null}
          aria-describedby={describedBy || undefined}
          onChange={(event) => {
            setRefusal(null);
            const { value: typed } = event.target;
            onChange((event.nativeEvent as InputEvent).isComposing ? typed : read(typed));
          }}
          onCompositionEnd={(event) => onChange(read(event.currentTarget.value))}
          onInvalid={(event) => {
            event.preventDefault();
            const { valueMissing, typeMismatch, patternMismatch } = event.currentTarget.validity;
            if (valueMissing) setRefusal(missing ?? null);
            else if (typeMismatch || patternMismatch) setRefusal(malformed ?? null);
          }}
        />
        {children}
      </span>
      {sentence !== null && (
        <span id={`${id}-fault`} className={styles.Fault} role="alert">
          {sentence}
        </span>
      )}
    </div>
  );
}
