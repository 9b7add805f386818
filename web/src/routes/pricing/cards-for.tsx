import type { BillingOverview } from '../../../../schemas/billing.ts';
import { plans } from '../../../../schemas/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { PlanDay } from '../../components/plan-day.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { PlanStatus } from '../../plan/plan-status.ts';
import { CHECKOUT } from './checkout-path.ts';
import type { CardState } from './plan-card.tsx';
import { RenewButton } from './renew-button.tsx';

/** The badge, note and button of each card. `billing` is absent if it isn't known. */
export function cardsFor(
  status: PlanStatus,
  billing: BillingOverview | null | undefined,
  onRenewed: () => void,
): { free: CardState; plus: CardState } {
  const download = <DownloadLink tone="secondary" wide />;
  switch (status.kind) {
    case 'loading':
      return { free: { action: <ButtonSkeleton /> }, plus: { action: <ButtonSkeleton /> } };
    case 'visitor':
      return {
        free: { action: download },
        plus: {
          action: (
            <ButtonLink to="/login" state={{ from: '/pricing' }} wide>
              Sign in to Upgrade
            </ButtonLink>
          ),
        },
      };
    case 'unknown':
      return {
        free: { action: download },
        plus: { aside: 'Its buttons are here once we can read your plan.' },
      };
    case 'free':
      return {
        free: { badge: 'Current Plan', action: download },
        plus: {
          action: (
            <ButtonLink to={CHECKOUT} wide>
              Upgrade to {plans.plus.name}
            </ButtonLink>
          ),
        },
      };
    case 'plus':
      return {
        free: { aside: `What your account has again if you cancel ${plans.plus.name}.` },
        plus: {
          badge: 'Current Plan',
          action: (
            <ButtonLink to="/cancel" tone="secondary" wide>
              Cancel Subscription
            </ButtonLink>
          ),
        },
      };
    case 'ending':
      break;
  }
  return {
    free: {
      note: (
        <>
          Your plan will switch to Free on <PlanDay moment={status.on} />.
        </>
      ),
    },
    plus: { badge: 'Expires Soon', ...endingPlus(status.on, billing, onRenewed) },
  };
}

/** A complimentary plan has no subscription that could be renewed: the user buys Plus. */
function endingPlus(
  on: string,
  billing: BillingOverview | null | undefined,
  onRenewed: () => void,
): CardState {
  const expires = (
    <>
      Your Plus plan expires on <PlanDay moment={on} />.
    </>
  );
  if (billing?.subscription === null) {
    return {
      note: (
        <>
          {expires} It was complimentary: to renew it you buy {plans.plus.name}, and pay {plans.plus.price}{' '}
          {plans.plus.period} from the day you buy it.
        </>
      ),
      action: (
        <ButtonLink to={CHECKOUT} wide>
          Renew Plan
        </ButtonLink>
      ),
    };
  }
  return {
    note: billing ? <>{expires} Renewing it costs nothing until then.</> : expires,
    action: billing === undefined ? <ButtonSkeleton /> : <RenewButton onRenewed={onRenewed} />,
  };
}

const ButtonSkeleton = () => <Skeleton height="2.875rem" />;
