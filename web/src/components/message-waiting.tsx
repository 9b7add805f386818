import styles from './message.module.css';
import { PageLayout } from './page/page-layout.tsx';
import { Sign } from './sign.tsx';
import { Skeleton } from './skeleton.tsx';

/** Placeholder of a message that is loading, as high as the message. `lead` says what is happening. */
export function MessageWaiting({ lead, children }: { lead?: string; children: string }) {
  return (
    <PageLayout as="section" className={styles.Message}>
      <div className={styles.Sign}>
        <Sign of="…" />
      </div>
      <div className={styles.Text} data-stack="5">
        {lead === undefined ? <Skeleton width="22rem" height="3rem" /> : <h1>{lead}</h1>}
        <output>{children}</output>
        <Skeleton height="3lh" />
        <Skeleton width="14rem" height="2.875rem" />
      </div>
    </PageLayout>
  );
}
