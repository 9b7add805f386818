import type { ReactNode } from 'react';
import { Mark } from '../mark.tsx';
import styles from './overlay.module.css';

/** The app's own window, which floats over every other. */
export function Overlay({
  children,
  className = '',
}: {
  children: ReactNode;
  className?: string | undefined;
}) {
  return (
    <div className={`${styles.Overlay} ${className}`}>
      <Mark className={styles.Mark} />
      {children}
    </div>
  );
}

interface CommandsProps {
  of: readonly string[];
  /** Index of the chosen command. */
  chosen?: number | undefined;
}

/** The user's commands, each in a line. */
export function Commands({ of, chosen }: CommandsProps) {
  return (
    <ul className={styles.Commands}>
      {of.map((command, index) => (
        <li key={command} data-chosen={index === chosen}>
          {command}
        </li>
      ))}
    </ul>
  );
}

interface ContextsProps {
  of: readonly string[];
  chosen: readonly string[];
}

/** The user's contexts, of which any number may be chosen. */
export function Contexts({ of, chosen }: ContextsProps) {
  return (
    <ul className={styles.Contexts}>
      {of.map((context) => (
        <li key={context} data-chosen={chosen.includes(context)}>
          {context}
        </li>
      ))}
    </ul>
  );
}

/** What came back, or a line that says it is coming. */
export function Answer({ children }: { children: ReactNode }) {
  return <p className={styles.Answer}>{children}</p>;
}
