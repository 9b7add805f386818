import * as z from 'zod/mini';
import { PlanName, Timestamp } from '../rows/plan.ts';

/** The contract after the action. */
export const EndContractResponse = z.object({
  plan: PlanName,
  /**
   * `renews`: Plus is charged again. `due`: a payment is due, and Plus ends as soon as it is cancelled.
   * `paused`: support has paused Plus, which ends as soon as it is cancelled. `ends`: Plus is cancelled.
   * `complimentary`: Plus costs nothing, and lasts until it is cancelled. `none`:
   * Free.
   */
  state: z.enum(['renews', 'due', 'paused', 'ends', 'complimentary', 'none']),
  /** The end of the paid period, or of Plus. Null where there is neither. */
  until: z.nullable(Timestamp),
  /** The last moment for a withdrawal. Null where the seller or the law offers none. */
  withdrawUntil: z.nullable(Timestamp),
});
export type EndContractResponse = z.infer<typeof EndContractResponse>;
