import type { ReactNode } from 'react';
import styles from './demo.module.css';

/** A drawing made of text; whoever can't see it is told what it shows. */
export function Picture({ alt, children }: { alt: string; children: ReactNode }) {
  return (
    // There is no file an img could show.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div className={styles.Picture} role="img" aria-label={alt}>
      <div className={styles.Canvas} aria-hidden="true">
        {children}
      </div>
    </div>
  );
}

/** The letter that the walkthrough is about. */
export function Letter({ marked = false }: { marked?: boolean }) {
  const sentence =
    'It is very nearly there, though the part in the middle goes on for some while and I am not sure I could tell you what it says.';
  return (
    <div className={styles.Letter}>
      <p>Hello,</p>
      <p>
        Thank you for the draft.{' '}
        {marked ? (
          <mark>{sentence} Shall we talk on Thursday?</mark>
        ) : (
          `${sentence} Shall we talk on Thursday?`
        )}
      </p>
      <p>Ines</p>
    </div>
  );
}

/** The small window over what one is doing. */
export function Overlay({ children }: { children: ReactNode }) {
  return <div className={styles.Overlay}>{children}</div>;
}

export function Keys({ of }: { of: readonly string[] }) {
  return (
    <p className={styles.Keys}>
      {of.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </p>
  );
}
