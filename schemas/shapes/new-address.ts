import * as z from 'zod/mini';
import { ProofToken } from './proof-token.ts';
import { Timestamp } from '../rows/plan.ts';
import { Address } from './address.ts';

/** Null takes a waiting change back. */
export const ChangeEmailRequest = z.strictObject({ newEmail: z.nullable(Address) });

/** A change of address that waits, as its account's owner sees it. */
export const WaitingAddress = z.object({
  email: z.string(),
  /** The time from which on the change needs no approval. */
  changesAt: Timestamp,
  isProved: z.boolean(),
  isApproved: z.boolean(),
});
export type WaitingAddress = z.infer<typeof WaitingAddress>;

/** The same answer for every address, whether or not it has an account. Null if none waits. */
export const ChangeEmailResponse = z.object({ waiting: z.nullable(WaitingAddress) });

/** `prove`: with a link to the new mailbox. `approve`, `stop`: with a link to the old mailbox. */
export const AddressChangeRequest = z.strictObject({
  token: ProofToken,
  action: z.enum(['prove', 'approve', 'stop']),
});

/**
 * `changed`: the account has the new address. `waiting`: what is missing is the other mailbox, or the time.
 * `stopped`: nothing changes, and a link for a new password is in the old mailbox.
 */
export const AddressChangeResponse = z.object({
  state: z.enum(['changed', 'waiting', 'stopped']),
  /** While it waits: the time from which on the change needs no approval. */
  changesAt: z.nullable(Timestamp),
  /** While it waits: whether the new mailbox has proved itself. */
  isProved: z.boolean(),
});
export type AddressChangeResponse = z.infer<typeof AddressChangeResponse>;
