import styles from './message.module.css';
import { PageLayout } from './page/page-layout.tsx';
import { Sign } from './sign.tsx';
import { Skeleton } from './skeleton.tsx';

/** Placeholder of a message that is loading. As high as the message. `children` says what is loading. */
export function MessageWaiting({ children }: { children: string }) {
  return (
    <PageLayout as="section" className={styles.Message}>
      <div className={styles.Sign}>
        <Sign of="…" />
      </div>
      <div className={styles.Text}>
        <output>{children}</output>
        <Skeleton width="22rem" height="3rem" />
        <Skeleton height="3lh" />
        <Skeleton width="14rem" height="2.875rem" />
      </div>
    </PageLayout>
  );
}
