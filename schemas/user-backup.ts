import * as z from 'zod/mini';
import { Timestamp } from './plan.ts';

/**
 * A user of the pool in the daily export: a line of JSON. What Cognito gives nobody isn't in it: passwords,
 * sessions, codes.
 */
export const BackedUpUser = z.object({
  /** Key of the user's plan. The pool gives a restored user another one. */
  sub: z.string(),
  /** The `sub` of an account with a password; `google_1234` of an account that a provider created. */
  username: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  name: z.optional(z.string()),
  /** Whether an administrator has not disabled the account. */
  enabled: z.boolean(),
  created_at: Timestamp,
  /** The providers' accounts that sign in to this account. */
  identities: z.array(z.object({ provider: z.string(), id: z.string() })),
});
export type BackedUpUser = z.infer<typeof BackedUpUser>;

/** How far the export of a pool is, in the bucket of backups. */
export const UserExportState = z.object({
  /** The day (UTC) that is being exported, or was. */
  day: z.iso.date(),
  /** When its export began. */
  began_at: Timestamp,
  /** How many of its parts are stored. */
  parts: z.number(),
  users: z.number(),
  /** As of when the last complete export is; before there is one, when the first began. */
  complete_as_of: Timestamp,
});
export type UserExportState = z.infer<typeof UserExportState>;

/**
 * How many first digits of a `sub`, which is a UUID, name a part of an export: with one it has 16 parts, with
 * two 256.
 */
const DIGITS = 1;

export const USER_EXPORT_PARTS: readonly string[] = Array.from({ length: 16 ** DIGITS }, (_, part) =>
  part.toString(16).padStart(DIGITS, '0'),
);

/** Each pool has a folder of its own: the export of a new one leaves those of the one before as they are. */
export const userExportState = (poolId: string): string => `users/${poolId}/export.json`;

/** Gzip of lines. */
export const userExportPart = (poolId: string, day: string, part: string): string =>
  `users/${poolId}/${day}/${part}.jsonl.gz`;
