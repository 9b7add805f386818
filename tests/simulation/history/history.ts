import type { OfferKey } from '../../../schemas/product/offers.ts';
import type { Fault } from '../faults/fault.ts';
import type { Action, InstantAction } from './action.ts';

/**
 * How the events that a step caused are delivered at the end of the step. A later step can still deliver an
 * event that was kept back for `later`.
 */
export const deliveries = ['in order', 'in reverse', 'each twice', 'later', 'never'] as const;

export interface Step {
  action: Action;
  fault: Fault | undefined;
  /** A concurrent action. `turns` interleaves the calls of the two. */
  concurrent: { action: InstantAction; fault: Fault | undefined } | undefined;
  turns: readonly number[];
  delivery: (typeof deliveries)[number];
}

export interface History {
  start: (typeof starts)[number];
  /** The offer that the subscriber buys. @default the main offer */
  offer?: OfferKey;
  /** The schedules run every hour, as deployed. A fault can make one run fail, but never two in a row. */
  hourly: boolean;
  steps: readonly Step[];
}

// An ordinary day; the day before a month without a 31st; the end of a year; a leap day.
export const starts = [
  '2030-01-15T12:00:00.000Z',
  '2030-01-31T23:30:00.000Z',
  '2031-12-31T23:59:59.000Z',
  '2032-02-29T00:00:00.000Z',
] as const;

/** These actions one after the other, without a fault. */
export const stepsWithoutFaults = (
  actions: readonly Action[],
  delivery: Step['delivery'] = 'in order',
): Step[] =>
  actions.map((action) => ({ action, fault: undefined, concurrent: undefined, turns: [], delivery }));
