import { Link } from 'react-router-dom';
import {
  free,
  isPaid,
  mainOffer,
  offersOf,
  paidNames,
  planNames,
  plans,
  soldIntervals,
} from '../../../../schemas/product/offers.ts';
import { limits } from '../../../../schemas/product/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { CallToAction } from '../../components/call-to-action.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { planStatusOf } from '../../plan/plan-status.ts';
import { offerPaidIn } from '../../plan/shown-standing.ts';
import { usePlanAndBilling } from '../../plan/use-plan-and-billing.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import { cardFor } from './card-for.tsx';
import { featureMeanings } from './feature-meanings.ts';
import { PlanCard } from './plan-card.tsx';
import { PlanSummary } from './plan-summary.tsx';
import styles from './pricing.module.css';
import { Questions } from './questions.tsx';
import { UpgradeLink } from './upgrade-link.tsx';

// Set by web/build/refund-words.ts.
const refunds = import.meta.env.REFUNDS;

const billed = `${paidNames} is billed ${soldIntervals.by} and renews automatically until you cancel.`;

/**
 * The built HTML is for visitors, and also contains the first view of an account holder. `data-for` marks the
 * differences between the two; once the script runs, only one of them is rendered.
 */
export default function PricingPage() {
  const reads = usePlanAndBilling();
  const { state, standing } = reads;
  const hydrated = useHydrated();
  const status = planStatusOf(state);
  const isVisitor = status.kind === 'visitor';
  const isHolder = !isVisitor || !hydrated;
  const shown = isVisitor && !hydrated ? { kind: 'loading' as const } : status;
  const own = offerPaidIn(standing);
  return (
    <PageLayout className={styles.Pricing}>
      {isVisitor && (
        <div data-for="visitor">
          <PageHeader
            title={
              <>
                Start free. <span className={styles.Later}>Pay when you write all day.</span>
              </>
            }
            lead={billed}
          />
        </div>
      )}
      {isHolder && (
        <div data-for="holder">
          <PageHeader title="Your plan" />
          <PlanSummary reads={reads} />
        </div>
      )}
      <div className={styles.Cards} data-for-holder={hydrated ? isHolder : undefined}>
        {planNames.map((plan) => (
          <PlanCard
            key={plan}
            plan={plans[plan]}
            prices={
              isPaid(plan) ? offersOf(plan).map((offer) => (offer.key === own?.key ? own : offer)) : [free]
            }
            meanings={featureMeanings[plan]}
            chosen={plan === mainOffer.plan}
            visitor={isVisitor && cardFor(plan, { kind: 'visitor' }, reads)}
            holder={isHolder && cardFor(plan, shown, reads)}
          />
        ))}
        <p className={styles.Conditions}>
          {refunds}, unless the service failed for at least 30 consecutive days. The exact wording is in the{' '}
          <Link to="/terms#refunds">terms</Link>.
        </p>
      </div>
      {isVisitor && (
        <div data-for="visitor">
          <Questions />
        </div>
      )}
      {isHolder && (
        <div data-for="holder">
          <ForHolders />
        </div>
      )}
      {isVisitor && <EndForVisitors />}
      {status.kind === 'free' && standing.kind !== 'loading' && standing.kind !== 'processing' && (
        <EndForFree />
      )}
    </PageLayout>
  );
}

/** Account holders have other questions than visitors. */
const ForHolders = () => (
  <p className={styles.Conditions}>
    Your invoices and your card are on your <PageLink to="/dashboard">dashboard</PageLink>. For anything else,
    there is <Link to="/help#faq">help</Link>.
  </p>
);

const EndForVisitors = () => (
  <div data-for="visitor">
    <CallToAction
      actions={
        <>
          <DownloadLink />
          <ButtonLink to="/login" tone="secondary">
            Sign In
          </ButtonLink>
        </>
      }
    >
      <h2>Try it on the next thing you read</h2>
    </CallToAction>
  </div>
);

const EndForFree = () => (
  <CallToAction
    actions={
      <>
        <UpgradeLink offer={mainOffer}>Get {mainOffer.name} Plan</UpgradeLink>
        <ButtonLink to="/dashboard" tone="secondary">
          Go to Dashboard
        </ButtonLink>
      </>
    }
  >
    <h2>More than {limits.freeRequestsPerDay} requests a day?</h2>
  </CallToAction>
);
