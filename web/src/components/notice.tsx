import type { ReactNode } from 'react';
import styles from './notice.module.css';

type Tone = 'danger' | 'success' | 'plain';

/** Something to know before going on. What went wrong is read out at once, the rest when there is a pause. */
export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  const look = noticeProps(tone);
  return tone === 'danger' ? (
    <div {...look} role="alert">
      {children}
    </div>
  ) : (
    <output {...look}>{children}</output>
  );
}

/** What makes an element look like a notice; for elements that come from elsewhere. */
export const noticeProps = (tone: Tone) => ({ className: styles.Notice ?? '', 'data-tone': tone });
