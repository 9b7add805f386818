import { type RefObject, useEffectEvent, useId, useLayoutEffect } from 'react';
import styles from './templates.module.css';

/** A field that searches on every key. Text typed before hydration is kept. */
export function SearchField({
  field,
  value,
  onChange,
}: {
  field: RefObject<HTMLInputElement | null>;
  value: string;
  onChange: (search: string) => void;
}) {
  const id = useId();
  // React leaves the field's value alone during hydration, but would overwrite it at the next render.
  const keepTyped = useEffectEvent(() => {
    const typed = field.current?.value ?? '';
    if (typed !== value) onChange(typed);
  });
  useLayoutEffect(() => {
    keepTyped();
  }, []);
  return (
    <div className={styles.Search}>
      <label htmlFor={id}>Search templates</label>
      <input
        ref={field}
        id={id}
        type="search"
        autoComplete="off"
        placeholder="email, summarize, contract"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
