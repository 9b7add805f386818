import type { ReactNode } from 'react';
import { AppWindow } from './app-window.tsx';
import styles from './mail-window.module.css';

// A paper plane; a paper clip, the letters of the format bar, and a picture.
const TOOLS = [
  'M2 12 21 3l-5 18-5-7zm9 2L21 3',
  'M16 8l-8 8a2 2 0 0 1-3-3l8-9a4 4 0 0 1 6 6l-9 9M32 19l5-13 5 13m-8-4h6M54 19v-8m0 4a3 4 0 1 0 0 .1M67 5h21v14H67zm0 11 6-5 5 4 4-3 6 4',
] as const;

interface MailWindowProps {
  to: string;
  subject: string;
  children: ReactNode;
  className?: string | undefined;
}

export function MailWindow({ to, subject, children, className }: MailWindowProps) {
  return (
    <AppWindow title={subject} tools={TOOLS} className={className}>
      <dl className={styles.Fields}>
        <div>
          <dt>To:</dt>
          <dd className={styles.Person}>{to}</dd>
        </div>
        <div>
          <dt>Subject:</dt>
          <dd>{subject}</dd>
        </div>
      </dl>
      {children}
    </AppWindow>
  );
}
