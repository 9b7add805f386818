import { Card } from '../../components/card.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { SessionUserGreeted } from '../../components/session-user.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { Top } from './top.tsx';
import dashboard from './dashboard.module.css';
import styles from './settings.module.css';

const SETTINGS = ['name', 'address', 'ways-in', 'sessions', 'data', 'deletion'];

/** The dashboard while the session is checked. */
export default function DashboardWaiting() {
  return (
    <PageLayout className={dashboard.Dashboard}>
      <Top name={<SessionUserGreeted />} />
      <OverviewSkeleton plan="Loading" />
      <Card title="Settings">
        <div>
          {SETTINGS.map((name) => (
            <div key={name} className={styles.Setting}>
              <Skeleton width="60%" height="3.25rem" />
            </div>
          ))}
        </div>
      </Card>
    </PageLayout>
  );
}
