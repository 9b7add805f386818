import { useEffect, useState } from 'react';
import { MailBounces } from '../../components/account/mail-bounces.tsx';
import { Card } from '../../components/card.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { cancellable } from '../../plan/plan-status.ts';
import { usePlanAndBilling } from '../../plan/use-plan-and-billing.ts';
import { type User, useSession } from '../../session/session.ts';
import { AccountDeleted, type DeletedAccount } from './account/account-deleted.tsx';
import { ChangeAddress } from './account/change-address.tsx';
import { ChangeName } from './account/change-name.tsx';
import { DeleteAccount } from './account/delete-account.tsx';
import { ExportData } from './account/export-data.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Invoices } from './plan/invoices.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { PlanCard } from './plan/plan-card.tsx';
import { PaymentNotice } from './plan/payment-notice.tsx';
import { ProfileCard } from './account/profile-card.tsx';
import { Top } from './top.tsx';
import { Sessions } from './sessions/sessions.tsx';
import { useSignIns } from './ways-in/use-sign-ins.ts';
import { WaysIn } from './ways-in/ways-in.tsx';
import { useCardTaken } from './plan/use-card-taken.ts';
import styles from './dashboard.module.css';

/**
 * Milliseconds for which the cards wait for Stripe's answer, so that news about the plan can be above them.
 */
const NEWS_WAIT = 1_000;

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
  const reads = usePlanAndBilling();
  const { state, billing, standing } = reads;
  const cardTaken = useCardTaken(billing);
  const signIns = useSignIns();
  const name = user.name ?? 'User';
  const isLate = useHasPassed(NEWS_WAIT);
  // Later news shows with the invoices, so that nothing shifts.
  const [isNewsFirst, setNewsFirst] = useState<boolean>();
  const isRead = state.kind === 'known' || state.kind === 'unread';
  if (isRead && isNewsFirst === undefined && (isLate || standing.kind !== 'loading')) {
    setNewsFirst(billing.kind !== 'loading');
  }
  const isShown = isRead && isNewsFirst !== undefined;
  const paymentNews = <PaymentNotice standing={standing} cardTaken={cardTaken} />;

  return (
    <PageLayout className={styles.Dashboard}>
      <Top name={`, ${name}`}>
        <FirstSteps />
      </Top>
      <MailBounces plan={state} email={user.email} />
      {isShown && isNewsFirst && paymentNews}
      {isShown ? (
        <>
          <div className={styles.Cards}>
            <PlanCard reads={reads} newsIsAbove={isNewsFirst} cardTaken={cardTaken} />
            <ProfileCard user={user} name={name} state={state} />
          </div>
          <Invoices
            billing={billing}
            pays={state.kind === 'known' && cancellable(state.value).kind === 'subscription'}
            onRetry={reads.reloadBilling}
            news={!isNewsFirst && paymentNews}
          />
        </>
      ) : (
        <OverviewSkeleton plan="Loading your plan..." invoices="Loading your invoices..." />
      )}
      <Card title="Settings">
        <div>
          <ChangeName user={user} />
          <ChangeAddress user={user} signIns={signIns} />
          <WaysIn user={user} {...signIns} />
          <Sessions {...signIns} />
          <ExportData />
          <DeleteAccount user={user} plan={state} standing={standing} onDeleted={onDeleted} />
        </div>
      </Card>
    </PageLayout>
  );
}

/** Whether the component has been mounted for that many milliseconds. */
function useHasPassed(wait: number): boolean {
  const [hasPassed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), wait);
    return () => clearTimeout(timer);
  }, [wait]);
  return hasPassed;
}
