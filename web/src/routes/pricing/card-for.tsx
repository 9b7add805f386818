import { lazy, Suspense } from 'react';
import {
  free,
  isPaid,
  mainOffer,
  offersOf,
  type PaidPlan,
  type PlanName,
  plans,
  soldIntervals,
} from '../../../../schemas/product/offers.ts';
import { ButtonLink } from '../../components/button.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { Day } from '../../components/day.tsx';
import { ButtonSkeleton } from '../../components/skeleton.tsx';
import { checkoutOf, offerOf } from '../../../../schemas/product/known-plan.ts';
import type { PlanReads } from '../../plan/use-plan-and-billing.ts';
import { processing } from '../../../../schemas/shapes/standing-in-words.ts';
import type { PlanStatus } from '../../plan/plan-status.ts';
import type { CardState } from './plan-card.tsx';
import { UpgradeLink } from './upgrade-link.tsx';

// Few visitors have a plan that ends.
const RenewPlan = lazy(() => import('../../components/renew-plan.tsx'));

export const cardFor = (plan: PlanName, status: PlanStatus, reads: PlanReads): CardState =>
  isPaid(plan) ? paidCard(plan, status, reads) : freeCard(status);

function freeCard(status: PlanStatus): CardState {
  switch (status.kind) {
    case 'loading':
      return { action: <ButtonSkeleton /> };
    case 'visitor':
      return { action: <DownloadLink tone="secondary" wide /> };
    case 'renews':
      return { explanation: `You go back to ${free.name} if you cancel ${plans[status.plan].name}.` };
    case 'ending':
      return {
        explanation: (
          <span>
            Your plan will switch to {free.name} on <Day moment={status.on} />.
          </span>
        ),
      };
    default: {
      // On its own, the button has the height of the placeholder.
      const action = <DownloadLink tone="secondary" wide alone />;
      return status.kind === 'free' ? { badge: 'Current Plan', action } : { action };
    }
  }
}

function paidCard(plan: PaidPlan, status: PlanStatus, reads: PlanReads): CardState {
  const own = 'plan' in status ? offerOf(status) : undefined;
  if (own && own.plan !== plan) return { explanation: `You can buy it once your ${own.name} has ended.` };
  switch (status.kind) {
    case 'loading':
      return { action: <ButtonSkeleton /> };
    case 'visitor': {
      // In the address, since a link can be followed before the script has loaded.
      const checkout = checkoutOf(offersOf(plan)[0] ?? mainOffer);
      return {
        action: (
          <ButtonLink to={`/login?${new URLSearchParams({ to: checkout })}`} wide>
            Sign in to Upgrade
          </ButtonLink>
        ),
        below: `Billed ${soldIntervals.by} by card`,
      };
    }
    case 'unread':
      return { explanation: 'Plan options will appear once we can load your plan.' };
    case 'free':
      return purchasable(plan, reads);
    case 'renews':
      return {
        badge: 'Current Plan',
        action: (
          <ButtonLink to="/cancel" tone="secondary" wide>
            Cancel Subscription
          </ButtonLink>
        ),
      };
    default:
      return { badge: 'Expires Soon', ...ending(plan, status.on, reads) };
  }
}

/** The purchase buttons of a plan, which wait until it is known that no payment is processing. */
function purchasable(plan: PaidPlan, { standing }: PlanReads): CardState {
  if (standing.kind === 'loading') return { action: <ButtonSkeleton /> };
  if (standing.kind === 'processing') return { explanation: `${processing.what}.` };
  const sold = offersOf(plan);
  return {
    action: sold.map((offer) => (
      <UpgradeLink key={offer.key} offer={offer} wide>
        Upgrade to {offer.name}
        {sold.length > 1 && `, ${offer.price} ${offer.period}`}
      </UpgradeLink>
    )),
  };
}

function ending(plan: PaidPlan, on: string, reads: PlanReads): CardState {
  const { standing } = reads;
  const { name, price, period } = offerOf(standing);
  const renewal = standing.kind === 'ends' ? standing.renewal : null;
  const note = (
    <>
      Your {name} plan expires on <Day moment={on} />.{' '}
      {renewal === 'free' && <span>Renewing it costs nothing until then.</span>}
      {renewal === 'purchase' && (
        <span>
          This plan was free. To keep {name}, subscribe for {price} {period}.
        </span>
      )}
    </>
  );
  if (standing.kind === 'processing') return { note, explanation: `${processing.what}.` };
  return {
    note,
    action: (
      <Suspense fallback={<ButtonSkeleton />}>
        <RenewPlan plan={plan} reads={reads} />
      </Suspense>
    ),
  };
}
