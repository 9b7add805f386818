import { plans } from '../../../../schemas/product/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { Day } from '../../components/day.tsx';
import { PlanText } from '../../components/plan-text.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { PlanNews } from '../../plan/plan-news.ts';
import { processing } from '../../plan/processing.ts';
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
  // On its own, the button has the height of the placeholder.
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
        plus: { aside: 'You’ll see its buttons once we can read your plan.' },
      };
    case 'free':
      return { free: { badge: 'Current Plan', action: download }, plus: purchasablePlus(news) };
    case 'plus':
      return {
        free: { aside: `You go back to ${plans.free.name} if you cancel ${plans.plus.name}.` },
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
      aside: (
        <span>
          Your plan will switch to Free on <Day moment={status.on} />.
        </span>
      ),
    },
    plus: { badge: 'Expires Soon', ...endingPlus(status.on, news, renewal) },
  };
}

/** The purchase button of Plus, which waits until it is known that no payment for Plus is processing. */
function purchasablePlus(news: PlanNews): CardState {
  if (news.kind === 'loading') return { action: <ButtonSkeleton /> };
  if (news.kind === 'processing') return { aside: processing.what };
  return {
    action: (
      <ButtonLink to={CHECKOUT} wide>
        Upgrade to {plans.plus.name}
      </ButtonLink>
    ),
  };
}

/** A complimentary plan has no subscription that could be renewed: the user buys Plus. */
function endingPlus(on: string, news: PlanNews, renewal: RenewButtonProps): CardState {
  const note = <PlanText of={endingNoteOf(on, news)} />;
  if (news.kind === 'loading') return { note, action: <ButtonSkeleton /> };
  if (news.kind === 'processing') return { note, aside: processing.what };
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
