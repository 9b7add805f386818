import { mainOffer, plans } from '../../../../schemas/product/offers.ts';
import { planStatusOf } from '../../plan/plan-status.ts';
import { type PlanNews, planNewsOf } from '../../plan/plan-news.ts';
import { usePlanAndBilling } from '../../plan/use-plan-and-billing.ts';
import { ButtonLink } from '../button.tsx';
import { Message } from '../message.tsx';
import { NextSteps } from '../next-steps.tsx';
import { MessageWaiting } from '../message-waiting.tsx';
import { useTitle } from '../page/use-title.ts';
import { PlanText } from '../plan-text.tsx';
import { nothingToBuyOf } from './nothing-to-buy-sentence.ts';

/** Shown to users who already have Plus, for example after going back from the payment. */
export function NothingToBuy() {
  const { state, billing } = usePlanAndBilling();
  const plan = planStatusOf(state);
  const title = `You're on ${'plan' in plan ? plans[plan.plan].name : mainOffer.name}.`;
  useTitle(title.slice(0, -1));
  if (plan.kind === 'loading' || billing.kind === 'loading') {
    return <MessageWaiting>Loading checkout...</MessageWaiting>;
  }
  const news: PlanNews = state.kind === 'known' ? planNewsOf(state.plan, billing) : { kind: 'unread' };
  return (
    <Message
      takesFocus
      title={title}
      sign="+"
      lead={<PlanText of={nothingToBuyOf(news)} />}
      actions={
        plan.kind === 'ending' ? (
          <>
            <ButtonLink to="/pricing">See Your Plan</ButtonLink>
            <ButtonLink to="/dashboard" tone="secondary">
              Go to Dashboard
            </ButtonLink>
          </>
        ) : (
          <NextSteps />
        )
      }
    />
  );
}
