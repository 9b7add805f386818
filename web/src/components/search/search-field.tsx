import { type RefObject, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import styles from './search-field.module.css';

/** A field that searches on every key. Text typed before hydration is kept. `onFocus`: loads the search. */
export function SearchField({
  label,
  placeholder,
  field,
  value,
  onChange,
  onFocus,
}: {
  label: string;
  placeholder: string;
  field?: RefObject<HTMLInputElement | null>;
  value: string;
  onChange: (search: string) => void;
  onFocus: () => void;
}) {
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  // React leaves the field's value alone during hydration, but would overwrite it at the next render.
  const keepTyped = useEffectEvent(() => {
    const typed = input.current?.value ?? '';
    if (typed !== value) onChange(typed);
  });
  useLayoutEffect(() => {
    keepTyped();
  }, []);
  return (
    <div className={styles.Search} data-scripted>
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="search"
        autoComplete="off"
        placeholder={placeholder}
        value={value}
        onFocus={onFocus}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

export const SearchFailed = () => (
  <p role="alert">The search didn’t load. Check your connection and select the field again.</p>
);
