import { SessionUserEmail, SessionUserName } from '../../components/session-user.tsx';
import { Facts } from '../../components/facts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Card } from '../../components/card.tsx';
import styles from './dashboard.module.css';

const date = <Skeleton width="9rem" />;

/** Placeholders as high as the cards of a user on Free: the final content may be taller, but not shorter. */
export function OverviewSkeleton({ plan, invoices }: { plan: string; invoices?: string }) {
  return (
    <>
      <div className={styles.Cards}>
        <Card title="Your plan">
          <div className={styles.PlanHead} data-stack="2">
            <p className={styles.Plan}>
              <Skeleton width="9rem" />
            </p>
            <output>{plan}</output>
          </div>
          <Skeleton height="8.25rem" />
          <div className={styles.Action}>
            <Skeleton height="2.875rem" />
          </div>
        </Card>
        <Card title="Profile">
          <div className={styles.Person}>
            <span className={styles.Initial} aria-hidden="true" />
            <div>
              <p className={styles.Name}>
                <SessionUserName />
              </p>
              <p className={styles.Email}>
                <SessionUserEmail />
              </p>
            </div>
          </div>
          <Facts of={{ 'Account created': date, 'Last sign-in': date }} />
          <div className={styles.Action}>
            <Skeleton height="2.875rem" />
          </div>
        </Card>
      </div>
      <Card title="Invoices and receipts">
        {invoices === undefined ? <Skeleton width="60%" /> : <output>{invoices}</output>}
      </Card>
    </>
  );
}
