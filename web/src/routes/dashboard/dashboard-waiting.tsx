import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { SessionUserGreeted } from '../../components/session-user.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { GetApp } from './get-app.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { Settings } from './settings.tsx';
import dashboard from './dashboard.module.css';
import styles from './settings.module.css';

const SETTINGS = ['name', 'address', 'password', 'ways-in', 'sessions', 'data', 'deletion'];

/** The dashboard while the session is checked. */
export default function DashboardWaiting() {
  return (
    <PageLayout className={dashboard.Dashboard}>
      <PageHeader
        title={
          <>
            Welcome
            <SessionUserGreeted />
          </>
        }
        className={dashboard.Head}
      />
      <GetApp />
      <OverviewSkeleton plan="Loading" />
      <Settings>
        {SETTINGS.map((name) => (
          <div key={name} className={styles.Setting}>
            <Skeleton width="60%" height="3.25rem" />
          </div>
        ))}
      </Settings>
    </PageLayout>
  );
}
