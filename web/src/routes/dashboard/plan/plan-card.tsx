import { Link } from 'react-router-dom';
import { free, isPaid, mainOffer, plans } from '../../../../../schemas/product/offers.ts';
import { offerOf } from '../../../plan/known-plan.ts';
import { ButtonLink } from '../../../components/button.tsx';
import { FeatureList } from '../../../components/feature-list.tsx';
import { PlanText } from '../../../components/plan-text.tsx';
import { Unread } from '../../../components/unread.tsx';
import { planLineOf } from '../../../plan/plan-line.ts';
import { offerPaidIn, type PlanNews } from '../../../plan/plan-news.ts';
import { cancellable } from '../../../plan/plan-status.ts';
import type { PlanReads } from '../../../plan/use-plan-and-billing.ts';
import { BillingPortalButton } from './billing-portal-button.tsx';
import { Card } from '../../../components/card.tsx';
import { cardOnFileOf } from './card-on-file.ts';
import { NEWS } from './payment-notice.tsx';
import styles from '../dashboard.module.css';

interface PlanCardProps {
  reads: PlanReads;
  /** Whether the news is above the card, with its own buttons. */
  newsIsAbove: boolean;
  /** Whether a new card was accepted since the payment failed. */
  cardTaken: boolean;
}

/** The current plan and what changes it. Has its final height before the next charge is read. */
export function PlanCard({ reads, newsIsAbove, cardTaken }: PlanCardProps) {
  const { state, news, billing } = reads;
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
  return (
    <Card title="Your plan" takesFocus={reads.takesFocus}>
      <div className={styles.PlanHead}>
        <p className={styles.Plan}>
          <span key={plan.name}>{plan.name}</span> <span className={styles.Price}>{priceOf(news, paid)}</span>
        </p>
        <NextCharge
          news={!paid && news.kind === 'loading' ? { kind: 'free', endedAt: null } : news}
          newsIsAbove={newsIsAbove}
          cardTaken={cardTaken}
        />
      </div>
      <FeatureList features={plan.features} />
      <div className={styles.Action}>
        {paid ? (
          <ButtonLink to="/pricing" tone="secondary" wide>
            Manage Subscription
          </ButtonLink>
        ) : news.kind === 'processing' ? (
          <SeeAllPlans />
        ) : (
          <ButtonLink to="/pricing" tone={PAYS_FIRST.has(news.kind) ? 'secondary' : 'primary'} wide>
            Upgrade to {mainOffer.name}
          </ButtonLink>
        )}
        {cancellable(state.value).kind === 'subscription' && (
          <>
            {!(newsIsAbove && news.kind === 'failed') && (
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

/** The news whose own button leads to Plus. */
const PAYS_FIRST: ReadonlySet<PlanNews['kind']> = new Set(['unpaid', 'lost', 'purchase-failed']);

function NextCharge({ news, newsIsAbove, cardTaken }: Omit<PlanCardProps, 'reads'> & { news: PlanNews }) {
  const { rest, charge = rest } = planLineOf(news) ?? { rest: ['Loading your next charge...'] };
  return (
    <output className={styles.NextCharge} data-failed={news.kind === 'failed' && !cardTaken}>
      <PlanText of={charge} />
      {!newsIsAbove && (news.kind === 'failed' || news.kind === 'unpaid') && (
        <>
          {' '}
          <Link to={`#${NEWS}`}>What to do</Link>
        </>
      )}
    </output>
  );
}

/** The price in words: the subscription's own, or none for a plan that ends or is complimentary. */
function priceOf(news: PlanNews, paid: boolean): string {
  const waits = news.kind === 'loading' || news.kind === 'unread';
  const offer = paid ? (waits ? offerOf(news) : offerPaidIn(news)) : free;
  return offer ? `${offer.price} ${offer.period}` : '';
}
