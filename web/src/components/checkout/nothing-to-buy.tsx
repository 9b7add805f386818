import { mainOffer, plans } from '../../../../schemas/product/offers.ts';
import { planLineOf } from '../../plan/plan-line.ts';
import { planStatusOf } from '../../plan/plan-status.ts';
import { usePlanAndBilling } from '../../plan/use-plan-and-billing.ts';
import { Message } from '../message.tsx';
import { NextSteps } from '../next-steps.tsx';
import { MessageWaiting } from '../message-waiting.tsx';
import { useTitle } from '../page/use-title.ts';
import { PlanText } from '../plan-text.tsx';

/** Shown to users who already have Plus, for example after going back from the payment. */
export function NothingToBuy() {
  const { state, standing } = usePlanAndBilling();
  const plan = planStatusOf(state);
  const title = `You're on ${'plan' in plan ? plans[plan.plan].name : mainOffer.name}.`;
  useTitle(title.slice(0, -1));
  const line = planLineOf(standing);
  if (line === null) return <MessageWaiting>Loading checkout...</MessageWaiting>;
  return (
    <Message
      takesFocus
      title={title}
      sign="+"
      lead={<PlanText of={line.charge ?? line.rest} />}
      actions={<NextSteps />}
    >
      {standing.kind === 'ends' && <p>You don't need to buy it again. Renew for free until then.</p>}
    </Message>
  );
}
