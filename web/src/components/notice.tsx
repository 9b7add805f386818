import type { ReactNode } from 'react';
import styles from './notice.module.css';

type Tone = 'danger' | 'success' | 'plain';

/** A highlighted message. Screen readers announce `danger` at once and other tones at the next pause. */
export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  const props = noticeProps(tone);
  return tone === 'danger' ? (
    <div {...props} role="alert">
      {children}
    </div>
  ) : (
    <output {...props}>{children}</output>
  );
}

/** The props that make another element look like a notice. */
export const noticeProps = (tone: Tone, className = '') => ({
  className: `${styles.Notice} ${className}`,
  'data-tone': tone,
});
