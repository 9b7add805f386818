import { useNavigate } from 'react-router-dom';
import type { PaidPlan } from '../../../schemas/product/offers.ts';
import { type Outcome, refused } from '../account/outcome.ts';
import { checkoutOf, offerOf } from '../../../schemas/product/known-plan.ts';
import { planStatusOf } from '../plan/plan-status.ts';
import { CODE_NOT_LOADED, type PlanReads } from '../plan/use-plan-and-billing.ts';
import { ActionButton } from './account/action-button.tsx';
import { ButtonLink } from './button.tsx';
import { useIsMounted } from './page/use-is-mounted.ts';
import { ButtonSkeleton } from './skeleton.tsx';

interface RenewPlanProps {
  plan: PaidPlan;
  reads: Pick<PlanReads, 'standing' | 'reading' | 'retryPlan'>;
}

/**
 * Renews a plan that ends. A complimentary plan has no subscription that could be renewed: the user buys the
 * plan. Nothing while a payment is processed.
 */
export default function RenewPlan({ plan, reads: { standing, reading, retryPlan } }: RenewPlanProps) {
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const checkout = checkoutOf(offerOf({ plan, ...standing }));
  if (standing.kind === 'loading') return <ButtonSkeleton />;
  if (standing.kind === 'processing') return null;
  if (standing.kind === 'ends' && standing.renewal === 'purchase') {
    return (
      <ButtonLink to={checkout} wide>
        Renew Plan
      </ButtonLink>
    );
  }
  const renew = async (): Promise<Outcome> => {
    // Visitors of the pricing page don't load the API client.
    const loaded = await import('../api/call.ts').catch(() => null);
    if (!loaded) return refused(CODE_NOT_LOADED);
    const { call } = loaded;
    const answer = await call('renew-subscription', { body: {} });
    if (!answer.ok) {
      if (answer.code !== 'nothing-to-renew') return refused(answer.sentence);
      // Another tab has renewed the plan, or the plan has ended and Plus can be bought again.
      const read = await call('plan');
      if (!read.ok) return refused(read.sentence);
      if (planStatusOf({ kind: 'known', value: read.value }).kind !== 'renews') {
        if (isMounted()) await navigate(checkout);
        return { kind: 'done' };
      }
    }
    retryPlan();
    return { kind: 'done' };
  };
  return (
    <ActionButton wide work={renew} busy="Renew Plan" disabled={reading}>
      Renew Plan
    </ActionButton>
  );
}
