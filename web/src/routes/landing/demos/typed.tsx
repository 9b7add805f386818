import styles from './typed.module.css';

/** A partly typed text, whose rest takes its space. Screen readers get the whole text at once. */
export function Typed({ text, count = 0 }: { text: string; count: number | undefined }) {
  return (
    <>
      <span className="visuallyHidden">{text}</span>
      <span aria-hidden="true">
        <span className={styles.Typed} data-typing={count > 0 && count < text.length}>
          {text.slice(0, count)}
        </span>
        <span className={styles.Ahead}>{text.slice(count)}</span>
      </span>
    </>
  );
}
