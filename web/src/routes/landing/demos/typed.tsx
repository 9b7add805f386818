import styles from './typed.module.css';

/** A text of which the first characters are typed. The rest takes its room unseen; who listens gets the whole at once. */
export function Typed({ text, count }: { text: string; count: number }) {
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
