import { nameOf } from '../../../../../schemas/product/known-plan.ts';
import { type PlanAction, type PlanLine, planLineOf } from '../../../plan/plan-line.ts';
import type { ShownStanding } from '../../../plan/shown-standing.ts';
import { text, type Text } from '../../../../../schemas/shapes/text.ts';

interface NoticeText {
  title: Text;
  tone: 'plain' | 'success' | 'danger';
  body: Text;
  actions: readonly PlanAction[];
}

/**
 * The notice about the user's payments, and what to do about it. Null if there is none. `cardTaken`: a new
 * card was accepted, and the payment hasn't been tried since. Anyone can type the address that says so, so
 * `cardTaken` hides no action.
 */
export function paymentNoticeOf(standing: ShownStanding, cardTaken: boolean): NoticeText | null {
  const line = planLineOf(standing);
  if (line === null) return null;
  const { lead: title, rest, actions } = line;
  const saved = cardTaken ? afterNewCard(standing, line) : null;
  if (saved !== null) {
    // The new card is tried by itself.
    const payFirst = actions?.toSorted((action) => (action === 'pay-invoice' ? -1 : 1)) ?? [];
    return { title: text`Your new card is saved`, tone: 'success', body: saved, actions: payFirst };
  }
  if (actions === undefined) return null;
  if (standing.kind !== 'failed') return { title, tone: 'plain', body: rest, actions };
  const advice = `${actions[0] === 'pay-invoice' ? 'Pay the invoice' : 'Add a new card'} so that you don't lose ${nameOf(standing)}.`;
  return {
    title,
    tone: 'danger',
    body: rest.length === 0 ? text`${advice}` : text`${rest} ${advice}`,
    actions,
  };
}

/** The sentence about a new card, or null where a card changes nothing. */
function afterNewCard(standing: ShownStanding, { rest }: PlanLine): Text | null {
  switch (standing.kind) {
    case 'failed':
      return standing.nextTry === null ? text`The payment that failed is still due.` : rest;
    case 'pending':
      return rest;
    case 'renews':
    case 'ends':
      return text`Nothing is due.`;
    case 'paused':
      return standing.on === null ? null : text`Nothing is due.`;
    default:
      return null;
  }
}
