import type { ReactNode } from 'react';
import { plans } from '../../../../schemas/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { PlanDay } from '../../components/plan-day.tsx';

interface CancelledProps {
  /** ISO 8601. Plus runs on until then. */
  until: string;
  /** How the user keeps Plus after all; undefined if that is unknown. */
  renewal: 'free' | 'purchase' | undefined;
  /** Whether the user has cancelled just now, and not before this visit. */
  takesFocus: boolean;
}

export function Cancelled({ until, renewal, takesFocus }: CancelledProps) {
  const { name, price, period } = plans.plus;
  return (
    <Result
      takesFocus={takesFocus}
      lead={
        <>
          You keep {name} until <PlanDay moment={until} />. After that your account is on {plans.free.name}.
        </>
      }
    >
      {renewal === 'free' && (
        <p>
          Changed your mind? Until then you can renew on the <PageLink to="/pricing">pricing page</PageLink>,
          at no extra charge.
        </p>
      )}
      {renewal === 'purchase' && (
        <p>
          Your {name} was complimentary. To keep it you can buy it on the{' '}
          <PageLink to="/pricing">pricing page</PageLink>, at {price} {period}.
        </p>
      )}
    </Result>
  );
}

/** `wasDue`: whether a payment was due, which is then not taken. */
export function Ended({ wasDue }: { wasDue: boolean }) {
  return (
    <Result
      takesFocus
      lead={
        <>
          {plans.plus.name} has ended.{' '}
          {wasDue && 'Nothing is charged: the payment that was due is not taken. '}
          Your account is on {plans.free.name}, and you are not charged again.
        </>
      }
    />
  );
}

interface ResultProps {
  takesFocus: boolean;
  lead: ReactNode;
  children?: ReactNode;
}

function Result({ takesFocus, lead, children }: ResultProps) {
  return (
    <Message
      takesFocus={takesFocus}
      title="Subscription Cancelled"
      sign="."
      lead={lead}
      actions={
        <>
          <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
          <ButtonLink to="/pricing" tone="secondary">
            Return to Pricing
          </ButtonLink>
        </>
      }
    >
      {children}
    </Message>
  );
}
