import * as z from 'zod/mini';
import { providerKeys } from '../product/providers.ts';
import { MailedCode } from '../shapes/mailed-code.ts';
import { Timestamp } from './plan.ts';

/**
 * An address that may become an account's. Trimmed, and lower-cased after its pattern is checked: Unicode
 * would fold other letters into ASCII. The pattern is the browser's for `type=email`, with a dot in the
 * domain. At most 128 characters, since Cognito accepts the address as a user name.
 */
const NewAddress = z
  .string()
  .check(
    z.trim(),
    z.maxLength(128),
    z.email({ pattern: z.regexes.html5Email }),
    z.regex(/\.[^.@]+$/),
    z.toLowerCase(),
  );

export const ChangeEmailRequest = z.strictObject({ newEmail: NewAddress });

/** The same answer for every address, whether or not it has an account. */
export const ChangeEmailResponse = z.object({ sent: z.literal(true) });

export const ConfirmEmailRequest = z.strictObject({ code: MailedCode });

export const ConfirmEmailResponse = z.object({
  email: z.string(),
  /** Whether all earlier sessions were ended, including the caller's. The address is changed either way. */
  sessionsEnded: z.boolean(),
});

/** The token from a mail's link. `functions/accounts/address-secrets.ts` reads it. */
export const UndoEmailRequest = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) });

/**
 * `restored`: the account has its earlier address again. `locked`: another account has that address by now,
 * so the account stays disabled until the link is used again or support helps.
 */
export const UndoEmailResponse = z.object({
  outcome: z.enum(['restored', 'locked']),
  /** Whether a deletion was called off. */
  deletionStopped: z.boolean(),
  /** Whether the account has a password. Then the link for a new one is in the mailbox. */
  passwordMailed: z.boolean(),
});
export type UndoEmailResponse = z.infer<typeof UndoEmailResponse>;

/** A change of address that waits for its code. */
export const PendingAddress = z.object({
  email: z.string(),
  /** HMAC-SHA-256 of the code, hexadecimal, with `salt` as its key. */
  code_hash: z.string(),
  salt: z.string(),
  /** Number of wrong codes so far. */
  tries: z.number(),
  expires_at: Timestamp,
});
export type PendingAddress = z.infer<typeof PendingAddress>;

/** A provider's account, as in `functions/domain/account-linking.ts`. */
export const Identity = z.object({ provider: z.enum(providerKeys), id: z.string() });

/** An address whose mailbox has a link that gives the account back to the address. */
export const UndoLink = z.object({
  /** The address until the change; for a linked provider and a deletion, the address at that time. */
  email: z.string(),
  /** SHA-256 of the link's token, hexadecimal. */
  token_hash: z.string(),
  /** The same of the link in the mail about a deletion. */
  deletion_hash: z.optional(z.string()),
  changed_at: Timestamp,
  /**
   * The change that the link takes back. `deletion`: the account had this address when its deletion was
   * requested. Absent: the address was changed.
   */
  of: z.optional(z.enum(['provider', 'deletion'])),
  /** The linked provider's account. */
  identity: z.optional(Identity),
});
export type UndoLink = z.infer<typeof UndoLink>;

/** A deletion that waits until no link can take back a change of address. */
const WaitingDeletion = z.object({
  requested_at: Timestamp,
  due_at: Timestamp,
  /** Present once the mails about the deletion were sent. */
  mailed: z.optional(z.literal(true)),
  /** Present once the deletion can't be taken back. */
  begun: z.optional(z.literal(true)),
});

/** An item of the AddressChanges table, key `id`. */
export const AddressChange = z.object({
  /** The Cognito `sub`. */
  id: z.string(),
  /** Number of writes. */
  version: z.number(),
  pending: z.optional(PendingAddress),
  /** Times of the mails with a code in the last hour. */
  sent: z.array(Timestamp),
  /** The links that take back a change. Oldest first. */
  earlier: z.array(UndoLink),
  /** The address that the last change or undo gave to the account. */
  current: z.optional(z.string()),
  /** Present while an undo isn't finished: the undo may have disabled the account. */
  locked: z.optional(z.literal(true)),
  /** The addresses that an unfinished undo has replaced. */
  replaced: z.optional(z.array(z.string())),
  deletion: z.optional(WaitingDeletion),
  /** The providers' accounts that an undo has taken off. They are never linked to the account again. */
  barred: z.optional(z.array(Identity)),
  /** The providers' accounts that the user has disconnected, until the user allows them again. */
  disconnected: z.optional(z.array(Identity)),
  /** Until then, one request changes the account, and others wait or are refused. */
  leased_until: z.optional(Timestamp),
  /**
   * Unix seconds, after which DynamoDB may delete the item. Absent: the item stays as long as the account.
   */
  expires_at: z.optional(z.number()),
});
export type AddressChange = z.infer<typeof AddressChange>;
