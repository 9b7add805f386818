import { plans } from '../../../../schemas/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { FeatureList } from '../../components/feature-list.tsx';
import { planDay } from '../../plan/plan-day.ts';
import type { PlanStatus } from '../../plan/plan-status.ts';
import { Card } from './card.tsx';
import styles from './dashboard.module.css';

/** The current plan, its features, and a link to change it. */
export function PlanCard({ status }: { status: PlanStatus }) {
  if (status.kind === 'loading' || status.kind === 'visitor') {
    return (
      <Card title="Your plan">
        <output>Loading your plan...</output>
      </Card>
    );
  }
  if (status.kind === 'unknown') {
    return (
      <Card title="Your plan">
        <p>Your plan is unknown right now.</p>
        <div className={styles.Action}>
          <ButtonLink to="/pricing" tone="secondary" wide>
            See All Plans
          </ButtonLink>
        </div>
      </Card>
    );
  }
  const plan = status.kind === 'free' ? plans.free : plans.plus;
  return (
    <Card title="Your plan">
      <p className={styles.Plan}>
        {plan.name}{' '}
        <span>
          {plan.price} {plan.period}
        </span>
      </p>
      {status.kind === 'ending' && (
        <p>
          Expires on <time dateTime={status.on}>{planDay(status.on)}</time>, then Free.
        </p>
      )}
      <FeatureList features={plan.features} />
      <div className={styles.Action}>
        {plan === plans.plus ? (
          <ButtonLink to="/pricing" tone="secondary" wide>
            Manage Subscription
          </ButtonLink>
        ) : (
          <ButtonLink to="/pricing" wide>
            Upgrade to Plus
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}
