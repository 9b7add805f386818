import type { ReactNode } from 'react';
import type { BillingOverview } from '../../../../schemas/billing.ts';
import { plans } from '../../../../schemas/product.ts';
import { NextCharge } from '../../components/next-charge.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { PlanDay } from '../../components/plan-day.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { UnreadPlan } from '../../components/unread-plan.tsx';
import { type PlanState, planStatusOf } from '../../plan/plan-status.ts';
import styles from './pricing.module.css';

interface PlanLineProps {
  state: PlanState;
  /** Undefined while it loads; null if it can't be read. */
  billing: BillingOverview | null | undefined;
  onRetry: () => void;
}

/** The user's plan in a line or two: what is charged next, or when the plan ends. */
export function PlanLine({ state, billing, onRetry }: PlanLineProps) {
  if (state.kind === 'unknown') return <UnreadPlan sentence={state.sentence} onRetry={onRetry} />;
  const text = billing === undefined ? null : lineOf(state, billing);
  return (
    <div className={styles.Line} data-failed={billing?.subscription?.status === 'past_due'}>
      {/* The same element, so that screen readers announce the text when it arrives. */}
      <output>{text ?? 'Loading your plan...'}</output>
      {text === null && <Skeleton width="24rem" />}
    </div>
  );
}

/** Null while the plan loads. */
function lineOf(state: PlanState, billing: BillingOverview | null): ReactNode {
  const status = planStatusOf(state);
  const subscription = billing ? billing.subscription : undefined;
  const { name } = plans.plus;
  switch (status.kind) {
    case 'plus':
      return subscription?.status === 'past_due' ? (
        <>
          <NextCharge of={subscription} /> Give a new card{' '}
          <PageLink to="/dashboard">on your dashboard</PageLink>.
        </>
      ) : (
        <>
          <strong>You're on {name}.</strong> <NextCharge of={subscription} />
        </>
      );
    case 'ending':
      return (
        <>
          <strong>
            You're on {name} until <PlanDay moment={status.on} />.
          </strong>{' '}
          You aren't charged again.
        </>
      );
    case 'free':
      return billing?.lostAt ? (
        <>
          <strong>
            Your {name} ended on <PlanDay moment={billing.lostAt} />,
          </strong>{' '}
          because your payments failed. You can buy it again at any time.
        </>
      ) : (
        <>
          <strong>You're on {plans.free.name},</strong> with {plans.free.features[0]}.
        </>
      );
    default:
      return null;
  }
}
