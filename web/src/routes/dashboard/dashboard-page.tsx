import { useState } from 'react';
import { MailBounces } from '../../components/account/mail-bounces.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { useHasPassed } from '../../components/page/use-has-passed.ts';
import { cancellable } from '../../plan/plan-status.ts';
import { usePlanAndBilling } from '../../plan/use-plan-and-billing.ts';
import { type User, useSession } from '../../session/session.ts';
import { FirstSteps } from './first-steps.tsx';
import { useFirstSteps } from './use-first-steps.ts';
import { Invoices } from './plan/invoices.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { PlanCard } from './plan/plan-card.tsx';
import { PaymentNotice } from './plan/payment-notice.tsx';
import { ProfileCard } from './account/profile-card.tsx';
import { Top } from './top.tsx';
import { useCardTaken } from './plan/use-card-taken.ts';
import styles from './dashboard.module.css';

/** Milliseconds that the cards wait for Stripe's answer, so that a notice can appear above them. */
const NOTICE_WAIT = 1_000;

export default function DashboardPage() {
  const session = useSession();
  return session.kind === 'signed-in' && <Dashboard user={session.user} />;
}

function Dashboard({ user }: { user: User }) {
  const reads = usePlanAndBilling();
  const { state, billing, standing } = reads;
  const cardTaken = useCardTaken(billing);
  const steps = useFirstSteps();
  const name = user.name ?? 'User';
  const isLate = useHasPassed(NOTICE_WAIT);
  // Later notice shows with the invoices, so that nothing shifts.
  const [isNoticeFirst, setNoticeFirst] = useState<boolean>();
  const isRead = state.kind === 'known' || state.kind === 'unread';
  if (isRead && isNoticeFirst === undefined && (isLate || standing.kind !== 'loading')) {
    setNoticeFirst(billing.kind !== 'loading');
  }
  const isShown = isRead && isNoticeFirst !== undefined && steps.ticked !== undefined;
  const paymentNotice = <PaymentNotice standing={standing} cardTaken={cardTaken} />;

  return (
    <PageLayout className={styles.Dashboard}>
      <Top name={`, ${name}`} />
      <MailBounces plan={state} email={user.email} />
      {isShown && isNoticeFirst && paymentNotice}
      {isShown ? (
        <>
          <div className={styles.Cards}>
            <PlanCard reads={reads} noticeIsAbove={isNoticeFirst} cardTaken={cardTaken} />
            <ProfileCard user={user} name={name} state={state} />
          </div>
          <FirstSteps {...steps} />
          <Invoices
            billing={billing}
            pays={state.kind === 'known' && cancellable(state.value).kind === 'subscription'}
            onRetry={reads.reloadBilling}
            notice={!isNoticeFirst && paymentNotice}
          />
        </>
      ) : (
        <OverviewSkeleton plan="Loading your plan..." invoices="Loading your invoices..." />
      )}
    </PageLayout>
  );
}
