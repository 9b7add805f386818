import type { ReactNode } from 'react';
import { Mark } from '../mark.tsx';
import styles from './desktop.module.css';

interface DesktopProps {
  /** The app whose menus the bar shows. */
  app: string;
  /** Weekday and time, as the bar shows them. */
  clock?: string;
  /** Windows, and the overlay above them. */
  children: ReactNode;
  className?: string | undefined;
}

/**
 * A part of a Mac's screen, with its menu bar. Sizes inside are in `em`: whoever places it sets the font
 * size, and so its scale.
 */
export function Desktop({ app, clock = 'Thu 9:41', children, className = '' }: DesktopProps) {
  return (
    <div className={`${styles.Desktop} ${className}`}>
      <div className={styles.Bar} aria-hidden="true">
        <b>{app}</b>
        <span>File</span>
        <span>Edit</span>
        <span>View</span>
        <Mark className={styles.Mark} />
        <span>{clock}</span>
      </div>
      <div className={styles.Screen}>{children}</div>
    </div>
  );
}
