import { plans } from '../../../../schemas/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { FeatureList } from '../../components/feature-list.tsx';
import { UnreadPlan } from '../../components/unread-plan.tsx';
import { formatAmount } from '../../plan/format-amount.ts';
import { planDay } from '../../plan/plan-day.ts';
import { type PlanState, planStatusOf } from '../../plan/plan-status.ts';
import type { Billing } from '../../plan/use-billing.ts';
import { Card } from './card.tsx';
import { type KnownPlan, type NextCharge, nextChargeOf } from './next-charge.ts';
import { UpdateCardButton } from './update-card-button.tsx';
import styles from './dashboard.module.css';

interface PlanCardProps {
  state: PlanState;
  billing: Billing;
  onRetry: () => void;
}

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
          {plan.name} <span className={styles.Price}>{priceOf(status, billing)}</span>
        </p>
        <NextChargeLine charge={nextChargeOf(status, billing)} />
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

/** A subscription may have another price than the site's. What ends, or is a gift, has none. */
function priceOf({ kind }: KnownPlan, billing: Billing): string {
  if (kind === 'free') return `${plans.free.price} ${plans.free.period}`;
  if (kind === 'ending') return '';
  if (billing.kind !== 'known') return `${plans.plus.price} ${plans.plus.period}`;
  const { subscription } = billing.overview;
  if (subscription === null || subscription.amount === null) return '';
  const { amount, currency } = subscription;
  const isSitePrice = amount === plans.plus.priceInCents && currency === plans.plus.currency;
  return `${isSitePrice ? plans.plus.price : formatAmount(amount, currency)} ${plans.plus.period}`;
}

function NextChargeLine({ charge }: { charge: NextCharge }) {
  switch (charge.kind) {
    case 'none':
      return <p>Nothing is charged.</p>;
    case 'loading':
      return <output>Loading your next charge...</output>;
    case 'unread':
      return <p>We couldn't read your next charge just now.</p>;
    case 'complimentary':
      return <p>Complimentary: nothing is charged.</p>;
    case 'due':
      return <p>{charge.amount ?? 'A payment'} due, and not paid yet.</p>;
    case 'ends':
      return (
        <p>
          {plans.plus.name} until <Day of={charge.on} />, then {plans.free.name}.
        </p>
      );
    default:
      return (
        <p>
          Next charge{charge.amount !== null && `: ${charge.amount}`} on <Day of={charge.on} />
        </p>
      );
  }
}

const Day = ({ of: moment }: { of: string }) => <time dateTime={moment}>{planDay(moment)}</time>;
