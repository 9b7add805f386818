import type { ReactNode } from 'react';
import styles from './app-window.module.css';

interface AppWindowProps {
  title: string;
  /** Drawings of the toolbar, before and behind the title: the `d` of a path in strokes, 24 units high. */
  tools?: readonly [before: string, behind: string];
  children: ReactNode;
  className?: string | undefined;
  /** Whether the window is in front of others in its place, if it has a place with others. */
  current?: boolean;
}

/** A window of any Mac app. Its body is set in the serif, like a document. */
export function AppWindow({ title, tools, children, className = '', current }: AppWindowProps) {
  return (
    <div className={`${styles.Window} ${className}`} data-current={current}>
      <p className={styles.Title}>
        <svg className={styles.Lights} viewBox="0 0 52 12" aria-hidden="true">
          <path d="M6 0a6 6 0 1 0 .01 0m19.99 0a6 6 0 1 0 .01 0m19.99 0a6 6 0 1 0 .01 0" />
        </svg>
        {title}
        {tools?.map((path) => (
          <svg key={path} className={styles.Tools} viewBox="0 0 90 24" aria-hidden="true">
            <path d={path} />
          </svg>
        ))}
      </p>
      <div className={styles.Body}>{children}</div>
    </div>
  );
}
