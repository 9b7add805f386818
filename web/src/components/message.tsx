import type { ComponentProps, ReactNode } from 'react';
import styles from './message.module.css';
import { PageHeader } from './page/page-header.tsx';
import { PageLayout } from './page/page-layout.tsx';
import { Sign } from './sign.tsx';

export interface MessageProps {
  title: ReactNode;
  /** The drawing beside the text. @default the logo's mark */
  sign?: ComponentProps<typeof Sign>['of'];
  /** The main sentence of the page. */
  lead?: ReactNode;
  /** Buttons and links, the most likely first. */
  actions?: ReactNode;
  /** Set if the message replaces a form that had the focus. */
  takesFocus?: boolean;
  children?: ReactNode;
}

/** A page that is a short message with the next steps. Fills the first screen. */
export function Message({ title, sign, lead, actions, takesFocus = false, children }: MessageProps) {
  return (
    <PageLayout as="section" className={styles.Message}>
      <div className={styles.Sign}>
        <Sign of={sign} />
      </div>
      <div className={styles.Text} data-stack="5">
        <PageHeader title={title} lead={lead} takesFocus={takesFocus} />
        {children}
        {actions && (
          <div className={styles.Actions} data-actions>
            {actions}
          </div>
        )}
      </div>
    </PageLayout>
  );
}
