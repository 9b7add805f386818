import styles from './sign.module.css';

interface SignProps {
  /** A punctuation mark. @default the logo's ditto mark */
  of?: '?' | '!' | '…' | '+' | '=' | undefined;
}

/** A highlighted punctuation mark between two ruled lines. Screen readers skip it. */
export function Sign({ of: mark }: SignProps) {
  return (
    <svg className={styles.Sign} viewBox="0 0 320 200" aria-hidden="true">
      <path className={styles.Rule} d="M0 40h320M0 184h320" />
      <path className={styles.Highlight} d="M86 64h148v104H86z" />
      {mark === undefined ? (
        <path className={styles.Stroke} d="M130 78h26l-16 76h-26zm50 0h26l-16 76h-26z" />
      ) : (
        <text className={styles.Stroke} x="160" y="150">
          {mark}
        </text>
      )}
    </svg>
  );
}
