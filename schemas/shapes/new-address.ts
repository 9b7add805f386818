import * as z from 'zod/mini';
import { Timestamp } from '../rows/plan.ts';

/** A change of address that waits, as its account's owner sees it. */
export const WaitingAddress = z.object({
  email: z.string(),
  changesAt: Timestamp,
  isProved: z.boolean(),
  isApproved: z.boolean(),
});
export type WaitingAddress = z.infer<typeof WaitingAddress>;

/**
 * `waiting`: for the other mailbox, or the time. `stopped`: nothing changes, and the old mailbox has a link
 * for a new password. `reachable`: mail to the present address arrives again.
 */
export const AddressChangeResponse = z.object({
  state: z.enum(['changed', 'waiting', 'stopped', 'reachable']),
  /** The time from which on the change needs no approval; null unless it waits. */
  changesAt: z.nullable(Timestamp),
  isProved: z.boolean(),
});
export type AddressChangeResponse = z.infer<typeof AddressChangeResponse>;
