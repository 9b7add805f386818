import { plans } from '../../../../schemas/product/offers.ts';
import { Message } from '../../components/message.tsx';
import { useTitle } from '../../components/page/use-title.ts';
import { PageLink } from '../../components/page-link.tsx';
import { PlanText } from '../../components/plan-text.tsx';
import type { PlanNews } from '../../plan/plan-news.ts';
import { cancelledOf } from './cancel-sentences.ts';
import { NextSteps } from '../../components/next-steps.tsx';

const TITLE = 'Subscription Cancelled';

interface CancelledProps {
  /** End of Plus, ISO 8601. */
  until: string;
  news: PlanNews;
  /** Whether the user has canceled just now, not before this visit. */
  takesFocus: boolean;
}

export function Cancelled({ until, news, takesFocus }: CancelledProps) {
  useTitle(TITLE);
  const { lead, renewal } = cancelledOf(until, news);
  return (
    <Message takesFocus={takesFocus} title={TITLE} lead={<PlanText of={lead} />} actions={<NextSteps />}>
      {renewal && (
        <p>
          {renewal[0]}
          <PageLink to="/pricing">pricing page</PageLink>
          {renewal[1]}
        </p>
      )}
    </Message>
  );
}

/** `wasDue`: whether a payment was due, which is then not charged. */
export function Ended({
  name,
  wasDue,
  takesFocus,
}: {
  /** The plan's name. */
  name: string;
  wasDue: boolean;
  takesFocus: boolean;
}) {
  useTitle(TITLE);
  return (
    <Message
      takesFocus={takesFocus}
      title={TITLE}
      lead={
        <>
          {name} has ended. {wasDue && 'Nothing is charged: the payment that was due is not taken. '}
          Your account is on {plans.free.name}, and you won't be charged again.
        </>
      }
      actions={<NextSteps />}
    />
  );
}
