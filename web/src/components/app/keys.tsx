import styles from './keys.module.css';

/** Keys of a Mac's keyboard, held down or not. */
export function Keys({ of, pressed = false }: { of: readonly string[]; pressed?: boolean }) {
  return (
    <span className={styles.Keys} data-pressed={pressed}>
      {of.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
