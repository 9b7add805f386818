import type { ComponentProps, ReactNode } from 'react';
import styles from './call-to-action.module.css';

interface CallToActionProps extends Omit<ComponentProps<'section'>, 'className'> {
  actions: ReactNode;
}

/** The end of a page, below a line: a sentence and the buttons that follow from it. */
export function CallToAction({ actions, children, ...props }: CallToActionProps) {
  return (
    <section {...props} className={styles.CallToAction} data-row>
      {children}
      <div className={styles.Actions} data-actions>
        {actions}
      </div>
    </section>
  );
}
