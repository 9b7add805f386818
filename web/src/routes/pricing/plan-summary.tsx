import { noticeProps } from '../../components/notice.tsx';
import { takingFocus } from '../../components/page/page-header.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { PlanText } from '../../components/plan-text.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Unread } from '../../components/unread.tsx';
import { type PlanAction, planLineOf } from '../../plan/plan-line.ts';
import type { PlanReads } from '../../plan/use-plan-and-billing.ts';
import styles from './pricing.module.css';

/** The user's plan in a line or two: the next charge, or the plan's end. */
export function PlanSummary({
  reads: { state, standing, reading, retryPlan, takesFocus },
}: {
  reads: PlanReads;
}) {
  if (state.kind === 'unread') {
    return <Unread what="plan" sentence={state.sentence} reading={reading} onRetry={retryPlan} />;
  }
  const line = planLineOf(standing);
  const todo = TODO.get(line?.actions?.[0]);
  return (
    <div
      {...noticeProps(standing.kind === 'failed' ? 'danger' : 'plain', styles.Line)}
      {...(takesFocus && takingFocus)}
    >
      {/* The same element for both, so that screen readers announce the text when it arrives. */}
      <output>
        {line === null ? (
          'Loading your plan...'
        ) : (
          <>
            {/* The plan's card says when it ends. */}
            {standing.kind !== 'ends' && (
              <strong>
                <PlanText of={[...line.lead, '.']} />
              </strong>
            )}{' '}
            {todo ? (
              <span key={todo}>
                {todo} <PageLink to="/dashboard">on your dashboard</PageLink>.
              </span>
            ) : (
              <PlanText of={(line.actions?.length && line.charge) || line.rest} />
            )}
          </>
        )}
      </output>
      {line === null && <Skeleton width="24rem" />}
    </div>
  );
}

/** An urgent action, as text. */
const TODO: ReadonlyMap<PlanAction | undefined, string> = new Map([
  ['update-card', 'Add a new card'],
  ['pay-invoice', 'Pay the invoice'],
]);
