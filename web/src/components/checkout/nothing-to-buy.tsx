import { plans } from '../../../../schemas/product.ts';
import { planStatusOf } from '../../plan/plan-status.ts';
import { useBilling } from '../../plan/use-billing.ts';
import { usePlan } from '../../plan/use-plan.ts';
import { ButtonLink } from '../button.tsx';
import { Message } from '../message.tsx';
import { MessageWaiting } from '../message-waiting.tsx';
import { NextCharge } from '../next-charge.tsx';
import { PlanDay } from '../plan-day.tsx';

/** For users who have Plus already, for example back from the payment. */
export function NothingToBuy({ userId }: { userId: string }) {
  const { state } = usePlan();
  const { billing } = useBilling(userId);
  const plan = planStatusOf(state);
  if (plan.kind === 'loading' || billing.kind === 'loading') {
    return <MessageWaiting>Loading checkout...</MessageWaiting>;
  }
  const subscription = billing.kind === 'known' ? billing.overview.subscription : undefined;
  const { name } = plans.plus;
  return (
    <Message
      takesFocus
      title={`You're on ${name}.`}
      sign="+"
      lead={
        plan.kind === 'ending' ? (
          <>
            It runs until <PlanDay moment={plan.on} />. Renew it instead of buying it again: until then that
            is free.
          </>
        ) : (
          <NextCharge of={subscription} />
        )
      }
      actions={
        plan.kind === 'ending' ? (
          <>
            <ButtonLink to="/pricing">See Your Plan</ButtonLink>
            <ButtonLink to="/dashboard" tone="secondary">
              Go to Dashboard
            </ButtonLink>
          </>
        ) : (
          <>
            <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
            <ButtonLink to="/pricing" tone="secondary">
              See Your Plan
            </ButtonLink>
          </>
        )
      }
    />
  );
}
