import { Link } from 'react-router-dom';
import { free, isPaid, mainOffer, plans } from '../../../../../schemas/product/offers.ts';
import { offerOf } from '../../../plan/known-plan.ts';
import { ButtonLink } from '../../../components/button.tsx';
import { FeatureList } from '../../../components/feature-list.tsx';
import { PlanText } from '../../../components/plan-text.tsx';
import { UnreadPlan } from '../../../components/unread-plan.tsx';
import { planLineOf } from '../../../plan/plan-line.ts';
import { type Billing, offerPaidIn, type PlanNews } from '../../../plan/plan-news.ts';
import { cancellable, type PlanState } from '../../../plan/plan-status.ts';
import { BillingPortalButton } from './billing-portal-button.tsx';
import { Card } from '../../../components/card.tsx';
import { cardOnFileOf } from './card-on-file.ts';
import { NEWS } from './payment-notice.tsx';
import styles from '../dashboard.module.css';

interface PlanCardProps {
  state: Extract<PlanState, { kind: 'known' | 'unread' }>;
  news: PlanNews;
  billing: Billing;
  /** Whether the news is above the card, with its own buttons. */
  newsIsAbove: boolean;
  /** Whether a new card was accepted since the payment failed. */
  cardTaken: boolean;
  /** Whether the plan is being read again. */
  reading: boolean;
  onRetry: () => void;
  takesFocus: boolean;
}

/** The current plan and what changes it. Has its final height before the next charge is read. */
export function PlanCard({
  state,
  news,
  billing,
  newsIsAbove,
  cardTaken,
  reading,
  onRetry,
  takesFocus,
}: PlanCardProps) {
  if (state.kind === 'unread') {
    return (
      <Card title="Your plan">
        <UnreadPlan sentence={state.sentence} reading={reading} onRetry={onRetry} />
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
    <Card title="Your plan" takesFocus={takesFocus}>
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

function NextCharge({
  news,
  newsIsAbove,
  cardTaken,
}: Pick<PlanCardProps, 'news' | 'newsIsAbove' | 'cardTaken'>) {
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
