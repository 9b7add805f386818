import { plans } from '../../../../schemas/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { PlanDay } from '../../components/plan-day.tsx';
import { PlanText } from '../../components/plan-text.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { PlanNews } from '../../plan/plan-news.ts';
import type { PlanStatus } from '../../plan/plan-status.ts';
import { CHECKOUT } from './checkout-path.ts';
import { endingNoteOf } from './ending-note.ts';
import type { CardState } from './plan-card.tsx';
import { RenewButton, type RenewButtonProps } from './renew-button.tsx';

/** The badge, note and button of each card. */
export function cardsFor(
  status: PlanStatus,
  news: PlanNews,
  renewal: RenewButtonProps,
): { free: CardState; plus: CardState } {
  // Alone, the button has the height of what waits in its place.
  const download = <DownloadLink tone="secondary" wide alone />;
  switch (status.kind) {
    case 'loading':
      return { free: { action: <ButtonSkeleton /> }, plus: { action: <ButtonSkeleton /> } };
    case 'visitor':
      return {
        free: { action: <DownloadLink tone="secondary" wide /> },
        plus: {
          action: (
            <ButtonLink to="/login" state={{ from: '/pricing' }} wide>
              Sign in to Upgrade
            </ButtonLink>
          ),
          below: `By card, a ${plans.plus.interval} in advance`,
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
    plus: { badge: 'Expires Soon', ...endingPlus(status.on, news, renewal) },
  };
}

/** A complimentary plan has no subscription that could be renewed: the user buys Plus. */
function endingPlus(on: string, news: PlanNews, renewal: RenewButtonProps): CardState {
  const note = <PlanText of={endingNoteOf(on, news)} />;
  if (news.kind === 'loading') return { note, action: <ButtonSkeleton /> };
  if (news.kind !== 'ends' || news.renewal !== 'purchase') {
    return { note, action: <RenewButton {...renewal} /> };
  }
  return {
    note,
    action: (
      <ButtonLink to={CHECKOUT} wide>
        Renew Plan
      </ButtonLink>
    ),
  };
}

const ButtonSkeleton = () => <Skeleton height="2.875rem" />;
