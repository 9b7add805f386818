import type { ReactNode } from 'react';
import styles from './demo-frame.module.css';
import type { Demo } from './use-demo.ts';

/** A demo, with an optional caption. */
export function DemoFrame({
  demo: { figure },
  caption,
  children,
}: {
  demo: Pick<Demo<unknown>, 'figure'>;
  caption?: ReactNode;
  children: ReactNode;
}) {
  return (
    <figure ref={figure} className={styles.Frame}>
      {children}
      {caption && <figcaption className={styles.Caption}>{caption}</figcaption>}
    </figure>
  );
}
