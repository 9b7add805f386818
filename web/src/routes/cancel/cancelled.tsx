import { plans } from '../../../../schemas/product/offers.ts';
import { Message, type MessageProps } from '../../components/message.tsx';
import { NextSteps } from '../../components/next-steps.tsx';
import { useTitle } from '../../components/page/use-title.ts';
import { PageLink } from '../../components/page-link.tsx';
import { PlanText } from '../../components/plan-text.tsx';
import type { ShownStanding } from '../../plan/shown-standing.ts';
import { cancelledOf } from '../../plan/cancel-sentences.ts';

const TITLE = 'Subscription Cancelled';

/** `takesFocus`: whether the user has canceled just now, not before this visit. */
export function Cancelled(props: Pick<MessageProps, 'lead' | 'takesFocus' | 'children'>) {
  useTitle(TITLE);
  return <Message {...props} title={TITLE} actions={<NextSteps />} />;
}

/** A plan that runs `until` that day (ISO 8601). */
export function messageOfEnd(
  until: string,
  standing: ShownStanding,
): Pick<MessageProps, 'lead' | 'children'> {
  const { lead, renewal } = cancelledOf(until, standing);
  return {
    lead: <PlanText of={lead} />,
    children: renewal && (
      <p>
        {renewal[0]}
        <PageLink to="/pricing">pricing page</PageLink>
        {renewal[1]}
      </p>
    ),
  };
}

/** A plan that has ended. `wasDue`: whether a payment was due, which is then not charged. */
export const leadOfEnded = ({ name, wasDue }: { name: string; wasDue: boolean }): string =>
  `${name} has ended. ${wasDue ? 'Nothing is charged: the payment that was due is not taken, or is refunded if it was on its way. ' : ''}Your account is on ${plans.free.name}, and you won't be charged again.`;
