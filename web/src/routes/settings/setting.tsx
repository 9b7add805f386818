import { type ReactNode, useId } from 'react';
import styles from './settings.module.css';

interface SettingProps {
  title: string;
  /** The current value, or the effect of the action. */
  about: ReactNode;
  /** Whether the setting is part of another. */
  nested?: boolean;
  anchor?: string | undefined;
  action?: ReactNode;
  children?: ReactNode;
}

export function Setting({ title, about, nested = false, anchor, action, children }: SettingProps) {
  const id = useId();
  const Title = nested ? 'h4' : 'h3';
  return (
    <section className={styles.Setting} data-stack="4" id={anchor} aria-labelledby={id}>
      <div data-row>
        <div className={styles.About}>
          <Title id={id} data-plain>
            {title}
          </Title>
          {about && <p>{about}</p>}
        </div>
        {action && <div>{action}</div>}
      </div>
      {children}
    </section>
  );
}
