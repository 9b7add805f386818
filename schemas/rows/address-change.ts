import * as z from 'zod/mini';
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
export const UndoEmailResponse = z.object({ outcome: z.enum(['restored', 'locked']) });

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

/** An address that the account had, and that a link in the mail to that address can restore. */
export const EarlierAddress = z.object({
  email: z.string(),
  /** SHA-256 of the link's token, hexadecimal. */
  token_hash: z.string(),
  changed_at: Timestamp,
});
export type EarlierAddress = z.infer<typeof EarlierAddress>;

/** An item of the AddressChanges table, key `id`. */
export const AddressChange = z.object({
  /** The Cognito `sub`. */
  id: z.string(),
  /** Number of writes. */
  version: z.number(),
  pending: z.optional(PendingAddress),
  /** Times of the mails with a code in the last hour. */
  sent: z.array(Timestamp),
  /** Oldest first. */
  earlier: z.array(EarlierAddress),
  /** The address that the last change or undo gave to the account. */
  current: z.optional(z.string()),
  /** Present while an undo isn't finished: the undo may have disabled the account. */
  locked: z.optional(z.literal(true)),
  /** The addresses that an unfinished undo has replaced. */
  replaced: z.optional(z.array(z.string())),
  /** Unix seconds, after which DynamoDB may delete the item. */
  expires_at: z.number(),
});
export type AddressChange = z.infer<typeof AddressChange>;
