import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { limits, plans } from '../../../../schemas/product.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CallToAction } from '../../components/call-to-action.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { UnreadPlan } from '../../components/unread-plan.tsx';
import { useHydrated } from '../../start/hydrated.ts';
import { planDay } from '../../plan/plan-day.ts';
import { type PlanStatus, planStatusOf } from '../../plan/plan-status.ts';
import { CODE_NOT_LOADED, usePlan } from '../../plan/use-plan.ts';
import { useIsMounted } from '../../start/use-is-mounted.ts';
import { type CardState, PlanCard } from './plan-card.tsx';
import styles from './pricing.module.css';

const CHECKOUT = '/checkout?plan=plus';

export default function PricingPage() {
  const { state, reload } = usePlan();
  const status = planStatusOf(state);
  const hydrated = useHydrated();
  return (
    <PageLayout className={styles.Pricing}>
      <PageHeader
        title={
          <>
            Start free. <span className={styles.Later}>Pay when you write all day.</span>
          </>
        }
        lead={`${plans.plus.name} is billed ${plans.plus.interval}ly and renews by itself until you cancel. You can cancel at any time, here on this page.`}
      />
      {/* The HTML is the visitor's. Account holders see the spinner from the first paint. */}
      {(status.kind === 'loading' || !hydrated) && (
        <div data-for="holder">
          <Spinner>Loading your plan...</Spinner>
        </div>
      )}
      {status.kind !== 'loading' && (
        <div data-for={status.kind === 'visitor' ? 'visitor' : 'holder'}>
          {state.kind === 'unknown' && <UnreadPlan sentence={state.sentence} onRetry={reload} />}
          <Cards status={status} onRenewed={reload} />
          <BottomCall status={status} />
        </div>
      )}
    </PageLayout>
  );
}

type LoadedPlanStatus = Exclude<PlanStatus, { kind: 'loading' }>;

function Cards({ status, onRenewed }: { status: LoadedPlanStatus; onRenewed: () => void }) {
  const { free, plus } = cardsFor(status, onRenewed);
  return (
    <div className={styles.Cards}>
      <PlanCard plan={plans.free} {...free} />
      <PlanCard plan={plans.plus} {...plus} />
    </div>
  );
}

/** The badge, note and button of each card. */
function cardsFor(status: LoadedPlanStatus, onRenewed: () => void): { free: CardState; plus: CardState } {
  const download = <DownloadLink tone="secondary" wide />;
  if (status.kind === 'visitor') {
    const signIn = (
      <ButtonLink to="/login" state={{ from: '/pricing' }} wide>
        Sign in to Upgrade
      </ButtonLink>
    );
    return { free: { action: download }, plus: { action: signIn } };
  }
  if (status.kind === 'unknown') return { free: { action: download }, plus: {} };
  if (status.kind === 'free') {
    const upgrade = (
      <ButtonLink to={CHECKOUT} wide>
        Upgrade to {plans.plus.name}
      </ButtonLink>
    );
    return { free: { badge: 'Current Plan', action: download }, plus: { action: upgrade } };
  }
  if (status.kind === 'plus') {
    const cancel = (
      <ButtonLink to="/cancel" tone="secondary" wide>
        Cancel Subscription
      </ButtonLink>
    );
    return { free: {}, plus: { badge: 'Current Plan', action: cancel } };
  }
  const date = <time dateTime={status.on}>{planDay(status.on)}</time>;
  return {
    free: { note: <>Your plan will switch to Free on {date}.</> },
    plus: {
      badge: 'Expires Soon',
      note: <>Your Plus plan expires on {date}.</>,
      action: <RenewButton onRenewed={onRenewed} />,
    },
  };
}

/** The API client, which visitors don't load; null if it can't be loaded. */
const loadCall = () =>
  import('../../api/call.ts').then(
    ({ call }) => call,
    () => null,
  );

type Renewal = { kind: 'idle' } | { kind: 'sending' } | { kind: 'refused'; sentence: string };

function RenewButton({ onRenewed }: { onRenewed: () => void }) {
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const [renewal, setRenewal] = useState<Renewal>({ kind: 'idle' });
  const renew = async () => {
    setRenewal({ kind: 'sending' });
    const call = await loadCall();
    if (!call) return setRenewal({ kind: 'refused', sentence: CODE_NOT_LOADED });
    const answer = await call('renew-subscription', { body: {} });
    if (answer.ok) return onRenewed();
    if (answer.code !== 'nothing-to-renew') {
      return setRenewal({ kind: 'refused', sentence: answer.sentence });
    }
    // Another tab has renewed the plan, or it has ended and Plus can be bought again.
    const plan = await call('plan');
    if (!plan.ok) return setRenewal({ kind: 'refused', sentence: plan.sentence });
    const renewed = planStatusOf({ kind: 'known', plan: plan.value }).kind === 'plus';
    if (!isMounted()) return undefined;
    return renewed ? onRenewed() : navigate(CHECKOUT);
  };
  return (
    <>
      {renewal.kind === 'refused' && <Notice tone="danger">{renewal.sentence}</Notice>}
      <Button wide disabled={renewal.kind === 'sending'} onClick={() => void renew()}>
        Renew Plan
      </Button>
    </>
  );
}

function BottomCall({ status }: { status: LoadedPlanStatus }) {
  if (status.kind === 'plus' || status.kind === 'ending' || status.kind === 'unknown') return null;
  return status.kind === 'visitor' ? (
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
  ) : (
    <CallToAction
      actions={
        <>
          <ButtonLink to={CHECKOUT}>Get Plus Plan</ButtonLink>
          <ButtonLink to="/dashboard" tone="secondary">
            Go to Dashboard
          </ButtonLink>
        </>
      }
    >
      <h2>More than {limits.freeRequestsPerDay} requests a day?</h2>
    </CallToAction>
  );
}
