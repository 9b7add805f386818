import type { ReactNode } from 'react';
import { Mark } from '../mark.tsx';
import styles from './overlay.module.css';

interface OverlayProps {
  /** The content of the command field at the top: the running command, or typed text. */
  field?: ReactNode;
  /** A line at the bottom: the app's current action, followed by the functions of the keys. */
  status?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** The app's own window, which floats over every other. */
export function Overlay({ field, status, children, className = '' }: OverlayProps) {
  return (
    <div className={`${styles.Overlay} ${className}`}>
      <p className={styles.Field}>
        <Mark className={styles.Mark} />
        {field}
      </p>
      {children}
      {status && (
        <p className={styles.Status}>
          <span>{status}</span> <kbd>⌘⇧Space</kbd> Hide
        </p>
      )}
    </div>
  );
}

interface CommandsProps {
  of: readonly string[];
  /** Index of the chosen command. */
  chosen?: number | undefined;
}

/** The user's commands, one per line. The chosen command shows the shortcut that runs it. */
export function Commands({ of, chosen }: CommandsProps) {
  return (
    <ul className={styles.Commands}>
      {of.map((command, index) => (
        <li key={command} data-chosen={index === chosen}>
          {command} {index === chosen && <kbd>⌘G</kbd>}
        </li>
      ))}
    </ul>
  );
}

interface ContextsProps {
  of: readonly string[];
  chosen: readonly string[];
}

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

export function Answer({ children }: { children: ReactNode }) {
  return <p className={styles.Answer}>{children}</p>;
}

export function Selection({ children }: { children: ReactNode }) {
  return <p className={styles.Selection}>{children}</p>;
}
