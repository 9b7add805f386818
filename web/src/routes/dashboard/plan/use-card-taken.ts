import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';
import type { Billing } from '../../../plan/shown-standing.ts';
import { holdRouterState, useRouterState } from '../../../navigation/use-router-state.ts';

/** Router state, from the dashboard itself: a new card was accepted, and for which payment, once read. */
const CardTaken = z.object({ cardTaken: z.union([z.literal(true), z.string()]) });
type CardTaken = z.infer<typeof CardTaken>;

/**
 * Whether Stripe has accepted a new card and hasn't tried the payment since. Stripe's page returns with
 * `?card=new`, which moves into the history entry, where it survives a reload and stays out of bookmarks.
 */
export function useCardTaken(billing: Billing): boolean {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const arrived = query.get('card') === 'new';
  useEffect(() => {
    // The redirect happens at once, since a navigation moves the focus.
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

/** A value that changes whenever Stripe has tried a payment. Undefined while unknown. */
function paymentOf(billing: Billing): string | undefined {
  const standing = billing.kind === 'known' ? billing.value.standing : undefined;
  switch (standing?.kind) {
    case 'renews':
    case 'paused':
    case 'ends':
      return `paid ${standing.on}`;
    case 'pending':
      return `due ${standing.paysUntil}`;
    case 'failed':
      return `failed ${standing.nextTry} ${standing.paysUntil}`;
    default:
      return undefined;
  }
}
