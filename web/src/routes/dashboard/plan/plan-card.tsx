import { Link } from 'react-router-dom';
import { free, isPaid, mainOffer, plans } from '../../../../../schemas/product/offers.ts';
import { offerOf } from '../../../../../schemas/product/known-plan.ts';
import { ButtonLink } from '../../../components/button.tsx';
import { FeatureList } from '../../../components/feature-list.tsx';
import RenewPlan from '../../../components/renew-plan.tsx';
import { PlanText } from '../../../components/plan-text.tsx';
import { Unread } from '../../../components/unread.tsx';
import { planLineOf } from '../../../plan/plan-line.ts';
import { offerPaidIn, type ShownStanding } from '../../../plan/shown-standing.ts';
import { cancellable, planStatusOf } from '../../../plan/plan-status.ts';
import type { PlanReads } from '../../../plan/use-plan-and-billing.ts';
import { BillingPortalButton } from './billing-portal-button.tsx';
import { Card } from '../../../components/card.tsx';
import { cardOnFileOf } from './card-on-file.ts';
import { NOTICE } from './payment-notice.tsx';
import styles from '../dashboard.module.css';

interface PlanCardProps {
  reads: PlanReads;
  /** Whether the notice is above the card, with its own buttons. */
  noticeIsAbove: boolean;
  /** Whether a new card was accepted since the payment failed. */
  cardTaken: boolean;
}

/** The current plan and what changes it. Has its final height before the next charge is read. */
export function PlanCard({ reads, noticeIsAbove, cardTaken }: PlanCardProps) {
  const { state, standing, billing } = reads;
  if (state.kind !== 'known') {
    return (
      <Card title="Your plan">
        {state.kind === 'unread' && (
          <Unread what="plan" sentence={state.sentence} reading={reads.reading} onRetry={reads.retryPlan} />
        )}
        <div className={styles.Action}>
          <SeeAllPlans />
        </div>
      </Card>
    );
  }
  const plan = plans[state.value.plan];
  const paid = isPaid(state.value.plan);
  const card = cardOnFileOf(billing);
  const status = planStatusOf(state);
  return (
    <Card title="Your plan" takesFocus={reads.takesFocus}>
      <div className={styles.PlanHead} data-stack="2">
        <p className={styles.Plan}>
          <span key={plan.name}>{plan.name}</span>{' '}
          <span className={styles.Price}>{priceOf(standing, paid)}</span>
        </p>
        <NextCharge
          standing={!paid && standing.kind === 'loading' ? { kind: 'free', endedAt: null } : standing}
          noticeIsAbove={noticeIsAbove}
          cardTaken={cardTaken}
        />
      </div>
      <FeatureList features={plan.features} />
      <div className={styles.Action}>
        {status.kind === 'ending' && <RenewPlan plan={status.plan} reads={reads} />}
        {paid ? (
          <ButtonLink to="/pricing" tone="secondary" wide>
            Manage Subscription
          </ButtonLink>
        ) : standing.kind === 'processing' ? (
          <SeeAllPlans />
        ) : (
          <ButtonLink to="/pricing" tone={PAYS_FIRST.has(standing.kind) ? 'secondary' : 'primary'} wide>
            {/* One text: of two, a translated page couldn't make one as the plan changes. */}
            {`Upgrade to ${mainOffer.name}`}
          </ButtonLink>
        )}
        {cancellable(state.value).kind === 'subscription' && (
          <>
            {!(noticeIsAbove && standing.kind === 'failed') && (
              <BillingPortalButton page="card" tone="secondary" wide>
                Update Card
              </BillingPortalButton>
            )}
            <p className={styles.CardOnFile}>
              <span key={card}>{card}</span>
            </p>
          </>
        )}
      </div>
    </Card>
  );
}

const SeeAllPlans = () => (
  <ButtonLink to="/pricing" tone="secondary" wide>
    See All Plans
  </ButtonLink>
);

/** The notice whose own button leads to Plus. */
const PAYS_FIRST: ReadonlySet<ShownStanding['kind']> = new Set(['unpaid', 'lost', 'purchase-failed']);

function NextCharge({
  standing,
  noticeIsAbove,
  cardTaken,
}: Omit<PlanCardProps, 'reads'> & { standing: ShownStanding }) {
  const { rest, charge = rest } = planLineOf(standing) ?? { rest: ['Loading your next charge...'] };
  return (
    <output className={styles.NextCharge} data-failed={standing.kind === 'failed' && !cardTaken}>
      <PlanText of={charge} />
      {!noticeIsAbove && (standing.kind === 'failed' || standing.kind === 'unpaid') && (
        <>
          {' '}
          <Link to={`#${NOTICE}`}>What to do</Link>
        </>
      )}
    </output>
  );
}

/** The price in words: the subscription's own, or none for a plan that ends or is complimentary. */
function priceOf(standing: ShownStanding, paid: boolean): string {
  const waits = standing.kind === 'loading' || standing.kind === 'unread';
  const offer = paid ? (waits ? offerOf(standing) : offerPaidIn(standing)) : free;
  return offer ? `${offer.price} ${offer.period}` : '';
}
