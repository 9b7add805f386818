import * as z from 'zod/mini';
import { providerKeys } from '../product/providers.ts';
import { Timestamp } from './plan.ts';

/** A provider's account, as in `functions/domain/account-linking.ts`. */
export const Identity = z.object({ provider: z.enum(providerKeys), id: z.string() });

/** The account keeps `from` until `to` is proved, and `from` has approved or `due_at` has passed. */
export const WaitingChange = z.object({
  /** Random. The links of the mails name it. */
  id: z.string(),
  from: z.string(),
  to: z.string(),
  /** Void if the account has taken back what is older. */
  requested_at: Timestamp,
  due_at: Timestamp,
  /** Present once the new mailbox has proved itself. */
  proved: z.optional(z.literal(true)),
  approved: z.optional(z.literal(true)),
  /** Present once the change is being made. It can't be stopped any more. */
  begun: z.optional(z.literal(true)),
});
export type WaitingChange = z.infer<typeof WaitingChange>;

/** An item of the AddressChanges table, key `id`. */
export const AddressChange = z.object({
  /** The Cognito `sub`. */
  id: z.string(),
  /** Number of writes. */
  version: z.number(),
  waiting: z.optional(WaitingChange),
  /** An address that a provider brought, and that the account's mailbox has declined. */
  declined: z.optional(z.string()),
  /** The linked providers' accounts. `address`: verified by the provider; absent if it isn't known. */
  linked: z.optional(z.array(z.extend(Identity, { address: z.optional(z.string()) }))),
  /** The providers' accounts that were disconnected, until the user allows them again. */
  disconnected: z.optional(z.array(Identity)),
  /** Unix seconds, after which DynamoDB may delete the item. Absent: it stays as long as the account. */
  expires_at: z.optional(z.number()),
});
export type AddressChange = z.infer<typeof AddressChange>;
