import * as z from 'zod/mini';
import { Timestamp } from '../rows/plan.ts';

/** A change of address that waits, as its account's owner sees it. */
export const WaitingAddress = z.object({
  email: z.string(),
  /** The time from which on the change needs no approval. */
  changesAt: Timestamp,
  isProved: z.boolean(),
  isApproved: z.boolean(),
});
export type WaitingAddress = z.infer<typeof WaitingAddress>;

/**
 * `changed`: the account has the new address. `waiting`: what is missing is the other mailbox, or the time.
 * `stopped`: nothing changes, and a link for a new password is in the old mailbox. `reachable`: mail to the
 * present address arrives again.
 */
export const AddressChangeResponse = z.object({
  state: z.enum(['changed', 'waiting', 'stopped', 'reachable']),
  /** While it waits: the time from which on the change needs no approval. */
  changesAt: z.nullable(Timestamp),
  /** While it waits: whether the new mailbox has proved itself. */
  isProved: z.boolean(),
});
export type AddressChangeResponse = z.infer<typeof AddressChangeResponse>;
