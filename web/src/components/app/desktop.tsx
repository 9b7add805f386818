import type { ReactNode } from 'react';
import { Mark } from '../mark.tsx';
import styles from './desktop.module.css';

interface DesktopProps {
  /** The app whose menus the bar shows. */
  app: string;
  /** Windows, and the overlay above them. */
  children: ReactNode;
  className?: string | undefined;
}

/**
 * A part of a Mac's screen, with its menu bar. Sizes inside are in `em`: whoever places it sets the font
 * size, and so its scale.
 */
export function Desktop({ app, children, className = '' }: DesktopProps) {
  return (
    <div className={`${styles.Desktop} ${className}`}>
      <div className={styles.Bar} aria-hidden="true">
        <p className={styles.Menus}>
          <b>{app}</b> <span>File</span> <span>Edit</span> <span>View</span> <span>Window</span>{' '}
          <span>Help</span>
        </p>
        <Mark className={styles.Mark} />
        <svg className={styles.Signs} viewBox="0 0 58 16">
          <path d="M1 6a10.500 10.500 0 0 1 16 0M4 9.500a6.500 6.500 0 0 1 10 0M7 12.700a2.800 2.800 0 0 1 4 0" />
          <path d="M34 3h18q3 0 3 3v4q0 3-3 3H34q-3 0-3-3V6q0-3 3-3zm23.500 3.500v3M34 6.500v3h14v-3z" />
        </svg>
        <span>Thu 9:41</span>
      </div>
      <div className={styles.Screen}>{children}</div>
    </div>
  );
}
