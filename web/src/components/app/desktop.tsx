import type { ReactNode } from 'react';
import { Mark } from '../mark.tsx';
import styles from './desktop.module.css';

interface DesktopProps {
  /** The app whose menus the bar shows. */
  app: string;
  /** Weekday and time, as the bar shows them. */
  clock?: string;
  children: ReactNode;
  className?: string | undefined;
}

/** A part of a Mac's screen, with its menu bar. Its font size sets the scale of all sizes inside. */
export function Desktop({ app, clock = 'Thu 9:41', children, className = '' }: DesktopProps) {
  return (
    <div className={`${styles.Desktop} ${className}`}>
      <div className={styles.Bar} aria-hidden="true">
        <p className={styles.Menus}>
          <b>{app}</b> <span>File</span> <span>Edit</span> <span>View</span> <span>Window</span>{' '}
          <span>Help</span>
        </p>
        <Mark className={styles.Mark} />
        <svg className={styles.Signs} viewBox="0 0 58 16">
          <path d="M1 6q8-8 16 0M4 9q5-4 10 0M7 12q2-2 4 0M31 3h24v10H31zm26.500 3v4M34 6v4h15V6z" />
        </svg>
        <span>{clock}</span>
      </div>
      <div className={styles.Screen}>{children}</div>
    </div>
  );
}
