import styles from './spinner.module.css';

/** Fills the page while it loads. */
export function Spinner({ children = 'Loading' }: { children?: string }) {
  return (
    <output className={styles.Spinner} data-stack="4">
      <span className={styles.Strokes} aria-hidden="true" />
      {children}
    </output>
  );
}
