import styles from './spinner.module.css';

/** Fills the page while something loads that the page can't show without. */
export function Spinner({ children = 'Loading' }: { children?: string }) {
  return (
    <output className={styles.Spinner}>
      <span className={styles.Strokes} aria-hidden="true" />
      {children}
    </output>
  );
}
