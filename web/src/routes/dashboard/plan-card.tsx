import type { BillingOverview } from '../../../../schemas/billing.ts';
import { plans } from '../../../../schemas/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { FeatureList } from '../../components/feature-list.tsx';
import { UnreadPlan } from '../../components/unread-plan.tsx';
import { formatAmount } from '../../plan/format-amount.ts';
import { planDay } from '../../plan/plan-day.ts';
import { type PlanState, type PlanStatus, planStatusOf } from '../../plan/plan-status.ts';
import type { Billing } from '../../plan/use-billing.ts';
import { Card } from './card.tsx';
import { UpdateCardButton } from './update-card-button.tsx';
import styles from './dashboard.module.css';

interface PlanCardProps {
  state: PlanState;
  billing: Billing;
  onRetry: () => void;
}

type Subscription = NonNullable<BillingOverview['subscription']>;

/** The current plan with its next charge, its features, and links to change it. */
export function PlanCard({ state, billing, onRetry }: PlanCardProps) {
  const status = planStatusOf(state);
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
        {state.kind === 'unknown' && <UnreadPlan sentence={state.sentence} onRetry={onRetry} />}
        <div className={styles.Action}>
          <ButtonLink to="/pricing" tone="secondary" wide>
            See All Plans
          </ButtonLink>
        </div>
      </Card>
    );
  }
  const plan = status.kind === 'free' ? plans.free : plans.plus;
  const subscription = billing.kind === 'known' ? billing.overview.subscription : null;
  return (
    <Card title="Your plan">
      <div className={styles.PlanHead}>
        <p className={styles.Plan}>
          {plan.name} <span>{priceOf(status, billing)}</span>
        </p>
        <NextCharge status={status} billing={billing} />
      </div>
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
        {status.kind === 'plus' && subscription?.status === 'active' && (
          <UpdateCardButton tone="quiet" wide />
        )}
      </div>
    </Card>
  );
}

type KnownStatus = Extract<PlanStatus, { kind: 'free' | 'plus' | 'ending' }>;

/** A subscription may have another price than the site's. What ends, or is a gift, has none. */
function priceOf({ kind }: KnownStatus, billing: Billing): string {
  if (kind === 'free') return `${plans.free.price} ${plans.free.period}`;
  if (kind === 'ending') return '';
  if (billing.kind !== 'known') return `${plans.plus.price} ${plans.plus.period}`;
  const { subscription } = billing.overview;
  if (subscription === null || subscription.amount === null) return '';
  const { amount, currency } = subscription;
  const isSitePrice = amount === plans.plus.priceInCents && currency === plans.plus.currency;
  return `${isSitePrice ? plans.plus.price : formatAmount(amount, currency)} ${plans.plus.period}`;
}

function NextCharge({ status, billing }: { status: KnownStatus; billing: Billing }) {
  const subscription = billing.kind === 'known' ? billing.overview.subscription : null;
  if (status.kind === 'free') return null;
  if (subscription?.status === 'past_due') return <p>{amountOf(subscription)} due, and not paid yet.</p>;
  if (status.kind === 'ending') {
    return (
      <p>
        {plans.plus.name} until <time dateTime={status.on}>{planDay(status.on)}</time>, then {plans.free.name}
        .
      </p>
    );
  }
  if (billing.kind === 'unread') return <p>We couldn't read your next charge just now.</p>;
  if (billing.kind === 'loading') return <output>Loading your next charge...</output>;
  if (subscription === null) return <p>Complimentary: nothing is charged.</p>;
  const day = <time dateTime={subscription.currentPeriodEnd}>{planDay(subscription.currentPeriodEnd)}</time>;
  return subscription.amount === null ? (
    <p>Next charge on {day}</p>
  ) : (
    <p>
      Next charge: {amountOf(subscription)} on {day}
    </p>
  );
}

const amountOf = ({ amount, currency }: Subscription): string =>
  amount === null ? 'A payment' : formatAmount(amount, currency);
