import * as z from 'zod/mini';
import { Timestamp } from '../rows/plan.ts';
import { Standing } from './standing.ts';

/** The contract after the action. */
export const EndContractResponse = z.object({
  standing: Standing,
  /** The last moment for a withdrawal. Null where the seller or the law offers none. */
  withdrawUntil: z.nullable(Timestamp),
});
export type EndContractResponse = z.infer<typeof EndContractResponse>;
