import { type ReactNode, useId } from 'react';
import styles from './settings.module.css';

interface SettingProps {
  title: string;
  /** The current value, or the effect of the action. */
  about: ReactNode;
  /** Id for links to this setting. */
  anchor?: string | undefined;
  /** The button that begins the action. */
  action?: ReactNode;
  /** Content below the row: a form, a result. */
  children?: ReactNode;
}

/** A row of the settings. */
export function Setting({ title, about, anchor, action, children }: SettingProps) {
  const id = useId();
  return (
    <section className={styles.Setting} id={anchor} aria-labelledby={id}>
      <div className={styles.Row}>
        <div className={styles.About}>
          <h3 id={id}>{title}</h3>
          {about && <p>{about}</p>}
        </div>
        {action && <div>{action}</div>}
      </div>
      {children}
    </section>
  );
}
