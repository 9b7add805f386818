import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { Billing } from '../../plan/plan-news.ts';
import { CardTaken, holdRouterState } from '../../session/hold-router-state.ts';
import { useRouterState } from '../../session/use-router-state.ts';

/**
 * Whether Stripe has taken a new card, and has not tried the payment since. Stripe's page leads back with
 * `?card=new`, which moves into the history entry: it survives a reload, and no bookmark has it.
 */
export function useCardTaken(billing: Billing): boolean {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const arrived = query.get('card') === 'new';
  useEffect(() => {
    // At once, since a navigation moves the focus.
    if (arrived) void navigate('/dashboard', { replace: true, state: { cardTaken: true } });
  }, [arrived, navigate]);

  const held = useRouterState(CardTaken)?.cardTaken;
  const [first, setFirst] = useState<string>();
  const payment = paymentOf(billing);
  if (held === true && first === undefined && payment !== undefined) setFirst(payment);
  useEffect(() => {
    if (held !== true || first === undefined) return;
    holdRouterState('/dashboard', { cardTaken: first } satisfies CardTaken, window);
  }, [held, first]);

  const takenFor = held === true ? first : held;
  return takenFor !== undefined && takenFor === payment;
}

/** Changes whenever Stripe has tried a payment. Undefined while it isn't known. */
function paymentOf(billing: Billing): string | undefined {
  if (billing.kind !== 'known' || billing.overview.subscription === null) return undefined;
  const { status, nextTry, currentPeriodEnd } = billing.overview.subscription;
  return `${status} ${nextTry} ${currentPeriodEnd}`;
}
