import * as z from 'zod/mini';
import { Identity } from './address-change.ts';
import { Timestamp } from './plan.ts';

/**
 * The act that a link allows its holder. `sign-up`: confirm a sign-up with the address, and choose its name
 * and password. `reset`: end every session of the address's account, and choose its password. `end-contract`:
 * see and end the account's contract. `new-address`: prove the address that an account wants. `old-address`:
 * approve or stop that change. `sign-in`: begin a session; no mail has it, our routes answer with it.
 */
export const ProofPurpose = z.enum([
  'sign-up',
  'reset',
  'end-contract',
  'new-address',
  'old-address',
  'sign-in',
]);
export type ProofPurpose = z.infer<typeof ProofPurpose>;

/** An item of the table Proofs. Its key `id` is a keyed hash of the link's token, which nothing stores. */
export const Proof = z.object({
  id: z.string(),
  purpose: ProofPurpose,
  /** The mailbox that got the link. */
  email: z.string(),
  /** The `sub` of the account whose address changes, or that a ticket signs in to. Otherwise absent. */
  account: z.optional(z.string()),
  /** `id` of the waiting change. Absent for the other purposes. */
  change: z.optional(z.string()),
  /** For `reset`: the provider's account that the link also disconnects. */
  disconnects: z.optional(Identity),
  /** Void if the account has taken back what is older. Absent: as old as can be. */
  created_at: z.optional(Timestamp),
  /** Unix seconds. */
  expires_at: z.number(),
});
export type Proof = z.infer<typeof Proof>;
