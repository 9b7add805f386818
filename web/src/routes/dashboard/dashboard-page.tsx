import { useState } from 'react';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { planStatusOf } from '../../plan/plan-status.ts';
import { usePlan } from '../../plan/use-plan.ts';
import { type User, useSession } from '../../session/session.ts';
import { AccountDeleted, type DeletedAccount } from './account-deleted.tsx';
import { ChangeAddress } from './change-address.tsx';
import { ChangeName } from './change-name.tsx';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExportData } from './export-data.tsx';
import { Invoices } from './invoices.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { PlanCard } from './plan-card.tsx';
import { PlanNews } from './plan-news.tsx';
import { ProfileCard } from './profile-card.tsx';
import { Settings } from './settings.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import { useBilling } from '../../plan/use-billing.ts';
import styles from './dashboard.module.css';

export default function DashboardPage() {
  const session = useSession();
  const [deleted, setDeleted] = useState<DeletedAccount | null>(null);
  if (deleted) return <AccountDeleted {...deleted} />;
  if (session.kind !== 'signed-in') return null;
  return <Dashboard user={session.user} onDeleted={setDeleted} />;
}

interface DashboardProps {
  user: User;
  onDeleted: (account: DeletedAccount) => void;
}

function Dashboard({ user, onDeleted }: DashboardProps) {
  const { state, reload } = usePlan();
  const { billing, reload: readBillingAgain } = useBilling(user.id);
  const name = user.name ?? 'User';
  // Shown together, since what the one says moves the other. What is read again later loads in its place.
  const [isRead, setIsRead] = useState(false);
  if (!isRead && planStatusOf(state).kind !== 'loading' && billing.kind !== 'loading') setIsRead(true);

  return (
    <PageLayout className={styles.Dashboard}>
      <PageHeader title={`Welcome, ${name}`} className={styles.Head} />
      {isRead ? (
        <>
          <PlanNews billing={billing} />
          <div className={styles.Cards}>
            <PlanCard state={state} billing={billing} onRetry={reload} />
            <ProfileCard name={name} email={user.email} state={state} />
          </div>
          <Invoices billing={billing} onRetry={readBillingAgain} />
        </>
      ) : (
        <OverviewSkeleton plan="Loading your plan..." invoices="Loading your invoices..." />
      )}
      <Settings>
        <ChangeName user={user} />
        <ChangeAddress user={user} />
        <ChangePassword user={user} />
        <SignOutEverywhere />
        <ExportData />
        <DeleteAccount user={user} plan={state} onDeleted={onDeleted} />
      </Settings>
    </PageLayout>
  );
}
