import { nameOf } from '../../../schemas/product/known-plan.ts';
import type { Standing } from '../../../schemas/shapes/standing.ts';
import { type StandingInWords, standingInWords } from '../../../schemas/shapes/standing-in-words.ts';
import { text } from '../../../schemas/shapes/text.ts';
import type { ShownStanding } from './shown-standing.ts';

/** An action on the dashboard. */
export type PlanAction = 'update-card' | 'pay-invoice' | 'buy' | 'try-again' | 'cancel';

/** A plan and its next charges in sentences, which every page shows. */
export interface PlanLine extends StandingInWords {
  /** Ways to change it, the most likely first. Present if the dashboard shows the line as a notice. */
  actions?: readonly PlanAction[] | undefined;
}

/** Null while the plan and its payments load. */
export function planLineOf(standing: ShownStanding): PlanLine | null {
  if (standing.kind === 'loading') return null;
  if (standing.kind === 'unread') {
    const rest = text`We couldn't load your next charge just now.`;
    return { lead: text`You're on ${nameOf(standing)}`, rest };
  }
  return { ...standingInWords(standing), actions: actionsOf(standing) };
}

function actionsOf(standing: Standing): PlanLine['actions'] {
  switch (standing.kind) {
    case 'processing':
      return [];
    case 'purchase-failed':
      return ['try-again'];
    case 'lost':
      return ['buy'];
    case 'unpaid':
      return payable(standing);
    case 'paused':
      return standing.on === null ? ['cancel'] : undefined;
    case 'invoiced':
      return standing.payAt === null ? undefined : payable(standing);
    case 'failed':
      // A payment that the cardholder has to confirm isn't taken by another try.
      return standing.nextTry === null || standing.cause === 'confirm'
        ? [...payable(standing), 'update-card']
        : ['update-card', ...payable(standing)];
    default:
      return undefined;
  }
}

const payable = ({ payAt }: { payAt: string | null }): PlanAction[] =>
  payAt === null ? [] : ['pay-invoice'];
