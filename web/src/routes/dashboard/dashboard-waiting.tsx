import { PageLayout } from '../../components/page/page-layout.tsx';
import { SessionUserGreeted } from '../../components/session-user.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { Top } from './top.tsx';
import styles from './dashboard.module.css';

export default function DashboardWaiting() {
  return (
    <PageLayout className={styles.Dashboard}>
      <Top name={<SessionUserGreeted />} />
      <OverviewSkeleton plan="Loading" />
    </PageLayout>
  );
}
